// The statistics of package reports/stats, in the browser.

/** Fewest values for an interval or a test. */
export const minSample = 6;

export function mean(xs) {
  let sum = 0;
  for (const x of xs) sum += x;
  return xs.length ? sum / xs.length : NaN;
}

const log = (x) => (x > 0 ? Math.log(x) : NaN);

export const logs = (xs) => xs.map(log);

export const geoMean = (xs) => Math.exp(mean(logs(xs)));

/** exp(mean(ln(x+shift))) − shift. */
export const shiftedGeoMean = (xs, shift) => geoMean(xs.map((x) => x + shift)) - shift;

export const sorted = (xs) => Float64Array.from(xs).sort();

/** The p-quantile of a sorted sample, type 7 of Hyndman and Fan. */
export function quantile(xs, p) {
  if (xs.length === 0) return NaN;
  const h = p * (xs.length - 1);
  const i = Math.floor(h);
  const j = Math.min(i + 1, xs.length - 1);
  return h > i && xs[i] !== xs[j] ? xs[i] + (h - i) * (xs[j] - xs[i]) : xs[i]; // infinities are not subtracted from each other
}

/** Times in which an unsolved one costs factor times its limit. */
export const par = (times, factor) => times.map((t) => (t.solved ? t.seconds : factor * t.limit));

/** A hash of words (FNV-1a), each with a zero byte behind it. */
function hash(words) {
  let h = 0x811c9dc5;
  for (const w of words) {
    for (const b of new TextEncoder().encode(w)) h = Math.imul(h ^ b, 0x01000193);
    h = Math.imul(h, 0x01000193);
  }
  return h;
}

/** The resampler of package stats: sfc32 (Doty-Humphrey), seeded by the report's seed and words. */
export function resampler(seed, ...words) {
  const wide = BigInt.asUintN(64, BigInt(seed));
  let [a, b, c, counter] = [Number(wide >> 32n) | 0, Number(wide & 0xffffffffn) | 0, hash(words), 1];
  const next = () => {
    const x = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + x) | 0;
    return x >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  /** A number in [0, n), unbiased (Lemire); n is so small that the product is exact. */
  return (n) => {
    let x = next();
    let low = Math.imul(x, n) >>> 0;
    if (low < n) {
      const least = (2 ** 32 - n) % n;
      while (low < least) {
        x = next();
        low = Math.imul(x, n) >>> 0;
      }
    }
    return Math.floor((x * n) / 2 ** 32);
  };
}

/** Resamples of a bootstrap, as in package summary. */
const draws = 1000;

/** Beyond this size an interval is the normal one, as in package stats. */
const largeSample = 2_000;
export const normal = 1.959963984540054;

/**
 * Percentile bootstrap intervals of the means of series of equal length, resampled together.
 * @param {(n: number) => number} pick
 * @param {number} half the quantile of the normal distribution at whose level they are, two-sided
 * @returns {[number, number][]}
 */
export function bootstrap(pick, half, ...series) {
  const tail = survival(half);
  const n = series[0].length;
  const out = series.map((xs) => {
    if (n < minSample || !xs.every(Number.isFinite)) return [NaN, NaN];
    if (xs.every((x) => x === xs[0])) return [xs[0], xs[0]];
    if (n <= largeSample) return null;
    const m = mean(xs);
    const reach = half * error(xs, m);
    return [m - reach, m + reach];
  });
  const open = series
    .map((xs, k) => ({ k, xs: Float64Array.from(xs), means: new Float64Array(draws) }))
    .filter((s) => !out[s.k]);
  if (open.length === 0) return out;
  const picked = new Uint32Array(n);
  for (let d = 0; d < draws; d++) {
    for (let i = 0; i < n; i++) picked[i] = pick(n);
    for (const { xs, means } of open) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += xs[picked[i]];
      means[d] = sum / n;
    }
  }
  for (const { k, means } of open) {
    means.sort();
    out[k] = [quantile(means, tail), quantile(means, 1 - tail)];
  }
  return out;
}

/** The standard error of a mean. */
const error = (xs, m) => Math.sqrt(xs.reduce((s, x) => s + (x - m) ** 2, 0) / (xs.length - 1) / xs.length);

const below = (z) => (z < 0 ? survival(-z) : 1 - survival(z));

/** The 95 % interval of a mean that lies between those of two series as far as optima are not known (Imbens and Manski 2004). */
export function identified(pick, los, his) {
  if (los.every((x, i) => x === his[i])) return bootstrap(pick, normal, los)[0];
  const [a, b] = [mean(los), mean(his)];
  const width = (b - a) / Math.max(error(los, a), error(his, b));
  let [lo, hi] = [1.6448536269514722, normal];
  for (let k = 0; k < 50 && width > 0; k++) {
    const c = (lo + hi) / 2;
    if (below(c + width) - below(-c) < 0.95) lo = c;
    else hi = c;
  }
  const [low, high] = bootstrap(pick, hi, los, his);
  return [low[0], high[1]];
}

/**
 * The step function of shares: y[i] of total are at most x[i].
 * @returns {{x: number[], y: number[], last: number[]}} last: the position in xs of the largest value of each step
 */
export function distribution(xs, total) {
  const order = [...xs.keys()].filter((i) => Number.isFinite(xs[i])).sort((a, b) => xs[a] - xs[b]);
  const c = { x: [], y: [], last: [] };
  order.forEach((i, k) => {
    if (k + 1 < order.length && xs[order[k + 1]] === xs[i]) return;
    c.x.push(xs[i]);
    c.y.push((k + 1) / total);
    c.last.push(i);
  });
  return c;
}

/** A curve of at most steps steps that meets c at each of them, the first and the last among them. */
export function thin(c, steps) {
  const n = c.x.length;
  if (n <= steps) return c;
  const t = { x: [], y: [], last: [] };
  for (let k = 0; k < steps; k++) {
    const i = Math.floor((k * (n - 1)) / (steps - 1));
    for (const key of ['x', 'y', 'last']) t[key].push(c[key][i]);
  }
  return t;
}

/** Evaluates a step function; xs sorted. */
export function at(c, x) {
  let lo = 0;
  let hi = c.x.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (c.x[mid] <= x) lo = mid + 1;
    else hi = mid;
  }
  return lo === 0 ? 0 : c.y[lo - 1];
}

/** The paired comparison of differences first − second, smaller better; ties are left out of the tests. */
export function paired(diffs) {
  const t = { n: diffs.length, win: 0, tie: 0, loss: 0, sign: NaN, wilcoxon: NaN, far: 0 };
  const differ = [];
  for (const d of diffs) {
    if (d < 0) t.win++;
    else if (d > 0) t.loss++;
    else t.tie++;
    if (d !== 0) differ.push(d);
  }
  if (differ.length >= minSample) {
    t.sign = signTest(t.win, t.loss);
    t.wilcoxon = wilcoxon(differ);
    t.far = positive(differ) - (differ.length * (differ.length + 1)) / 4; // above 0: the second is better by more
  }
  return t;
}

/** The p-value below which a difference counts as one. */
export const significant = 0.05;

/** Why two tests of one comparison, by p-values corrected in the same way, do not lead to the same conclusion; empty: they do. */
export function disagreement(t, sign, wilcoxon, first, second) {
  const often = t.loss > t.win ? second : first;
  const far = t.far > 0 ? second : first;
  if (sign < significant && wilcoxon < significant && often !== far) return `${often} is better more often, ${far} by more`;
  if (sign < significant && wilcoxon >= significant) return `${often} is better more often, but not by enough where it is`;
  if (wilcoxon < significant && sign >= significant) return `${far} is better by more where it is, but not more often`;
  return '';
}

/** The sum of the ranks of positive differences. */
function positive(diffs) {
  const order = [...diffs].sort((a, b) => Math.abs(a) - Math.abs(b) || 0);
  let sum = 0;
  for (let i = 0; i < order.length; ) {
    let j = i;
    while (j < order.length && Math.abs(order[j]) === Math.abs(order[i])) j++;
    for (let k = i; k < j; k++) if (order[k] > 0) sum += (i + 1 + j) / 2;
    i = j;
  }
  return sum;
}

/** The exact two-sided p-value of wins against losses when either is equally likely. */
export function signTest(wins, losses) {
  const n = wins + losses;
  let term = -n * Math.LN2; // logarithm of the probability of k successes
  let sum = 0;
  for (let k = 0; k <= Math.min(wins, losses); k++) {
    sum += Math.exp(term);
    term += Math.log((n - k) / (k + 1));
  }
  return Math.min(1, 2 * sum);
}

const exactLimit = 50;

/** The two-sided p-value of Wilcoxon's signed rank test, exact up to 50 differences; none of them is 0. */
export function wilcoxon(diffs) {
  const n = diffs.length;
  const order = [...diffs].sort((a, b) => Math.abs(a) - Math.abs(b) || 0); // infinite ones tie
  const doubled = []; // twice the midrank is an integer
  let positive = 0;
  let ties = 0;
  for (let i = 0; i < n;) {
    let j = i;
    while (j < n && Math.abs(order[j]) === Math.abs(order[i])) j++;
    for (let k = i; k < j; k++) {
      doubled[k] = i + 1 + j;
      if (order[k] > 0) positive += doubled[k];
    }
    ties += (j - i) ** 3 - (j - i);
    i = j;
  }
  if (n <= exactLimit) return exactSignedRank(doubled, positive);
  const centre = (n * (n + 1)) / 4;
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48;
  const z = Math.max(0, Math.abs(positive / 2 - centre) - 0.5) / Math.sqrt(variance);
  return Math.min(1, 2 * survival(z));
}

function exactSignedRank(doubled, sum) {
  const total = doubled.reduce((a, b) => a + b, 0);
  const prob = new Float64Array(total + 1);
  prob[0] = 1;
  for (const r of doubled) {
    for (let s = total; s >= 0; s--) prob[s] = prob[s] / 2 + (s >= r ? prob[s - r] / 2 : 0);
  }
  let tail = 0;
  for (let s = 0; s <= Math.min(sum, total - sum); s++) tail += prob[s];
  return Math.min(1, 2 * tail);
}

/** P(Z > z) of a standard normal Z, z ≥ 0: a power series near 0, a continued fraction further out. */
export function survival(z) {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 3) {
    let term = z;
    let sum = z;
    for (let k = 3; term > 1e-18 * sum; k += 2) {
      term *= (z * z) / k;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let f = 0;
  for (let k = 120; k > 0; k--) f = k / (z + f);
  return density / (z + f);
}

/** Holm's adjustment of p-values for their number; NaN stays and does not count. */
export function holm(ps) {
  const adjusted = [...ps];
  const order = [...ps.keys()].filter((i) => !Number.isNaN(ps[i])).sort((a, b) => ps[a] - ps[b]);
  let running = 0;
  order.forEach((i, k) => {
    running = Math.max(running, Math.min(1, (order.length - k) * ps[i]));
    adjusted[i] = running;
  });
  return adjusted;
}
