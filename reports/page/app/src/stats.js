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
  return xs[i] + (h - i) * (xs[j] - xs[i]);
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
const normal = 1.959963984540054;

/**
 * Percentile bootstrap intervals (95 %) of the means of series of equal length, resampled together.
 * @param {(n: number) => number} pick
 * @returns {[number, number][]}
 */
export function bootstrap(pick, ...series) {
  const n = series[0].length;
  const out = series.map((xs) => {
    if (n < minSample || xs.some(Number.isNaN)) return [NaN, NaN];
    if (xs.every((x) => x === xs[0])) return [xs[0], xs[0]];
    if (n <= largeSample) return null;
    const m = mean(xs);
    const half = normal * Math.sqrt(xs.reduce((s, x) => s + (x - m) ** 2, 0) / (n - 1) / n);
    return [m - half, m + half];
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
    out[k] = [quantile(means, 0.025), quantile(means, 0.975)];
  }
  return out;
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
  const t = { n: diffs.length, win: 0, tie: 0, loss: 0, sign: NaN, wilcoxon: NaN };
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
  }
  return t;
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
  const order = [...diffs].sort((a, b) => Math.abs(a) - Math.abs(b));
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
