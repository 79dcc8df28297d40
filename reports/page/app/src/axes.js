// Scales and their ticks. A logarithmic scale is a linear one of logarithms, so that ratios between 1 and 2 get ticks of their
// own.

const tidy = (x, digits = 6) => String(Number(x.toPrecision(digits)));
const most = 100; // ticks, whatever the range
const largest = 1e300; // with a place on an axis, as in package plots
const rounding = 1e-9; // of values: a range that is no longer is that of one value

/** Round numbers in [lo, hi], about as many as wanted. */
export function linear(lo, hi, whole = false, wanted = 6) {
  const least = Math.max((hi - lo) / wanted, rounding * Math.max(Math.abs(lo), Math.abs(hi)) / wanted) || 1;
  const decade = 10 ** Math.floor(Math.log10(least));
  let step = decade * ([1, 2, 2.5, 5].find((m) => m * decade >= least * 0.999) ?? 10);
  if (whole) step = Math.max(1, Math.ceil(step));
  const first = Math.ceil(lo / step - 1e-9);
  const n = Math.min(most, Math.floor(hi / step + 1e-9) - first + 1);
  return Array.from({ length: n > 0 ? n : 0 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

function logarithmic(lo, hi, whole) {
  if (hi / lo < 20) return linear(lo, hi, whole);
  const out = [];
  const [first, last] = [Math.floor(Math.log10(lo)), Math.log10(hi)];
  const every = Math.ceil((last - first) / 12);
  for (let e = every * Math.ceil(first / every); e <= last; e += every)
    for (const m of hi / lo > 1e3 ? [1] : [1, 2, 5]) out.push(m * 10 ** e);
  return out.filter((t) => t >= lo * 0.999 && t <= hi * 1.001 && (!whole || Number.isInteger(t)));
}

/** @param {number[]} xs */
export function reach(xs) {
  let [lo, hi] = [Infinity, -Infinity];
  for (const x of xs) {
    if (!(Math.abs(x) <= largest)) continue;
    if (x < lo) lo = x;
    if (x > hi) hi = x;
  }
  return [lo, hi];
}

/**
 * @typedef {{label: string, log?: boolean, share?: boolean, whole?: boolean, words?: string[], percent?: boolean,
 *   format?: (x: number) => string}} Axis percent: fractions, written in percent; share: from 0 to 1
 */

/** How an axis writes a value. */
export const writer = (a, digits) =>
  a.words
    ? (v) => a.words[Math.round(v)] ?? ''
    : (a.format ?? (a.share || a.percent ? (v) => `${tidy(100 * v, digits)} %` : (v) => tidy(v, digits)));

/**
 * Places the values from lo to hi on the pixels from a to b.
 * @param {Axis} axis
 * @returns {{at: (v: number) => number, back: (px: number) => number, ticks: {v: number, label: string}[]}}
 */
export function scale(axis, lo, hi, a, b) {
  if (!(lo <= hi)) [lo, hi] = axis.log ? [1, 10] : [0, 1];
  const log = axis.log && lo > 0;
  if (log) [lo, hi] = [Math.max(lo, 1 / largest), Math.max(hi, 1 / largest)];
  const to = log ? Math.log : (v) => v;
  let [from, till] = [to(lo), to(hi)];
  if (axis.words) [from, till] = [-0.5, axis.words.length - 0.5];
  else if (axis.share) [from, till] = [0, 1.02];
  else if (till - from > rounding * Math.max(Math.abs(from), Math.abs(till))) [from, till] = [from - 0.03 * (till - from), till + 0.04 * (till - from)];
  else {
    const pad = log ? 0.1 : Math.max(axis.whole ? 1 : 0.5, 0.05 * Math.abs(till));
    [from, till] = [from - pad, till + pad];
  }
  const at = (v) => a + ((to(v) - from) / (till - from)) * (b - a);
  const back = (px) => {
    const v = from + ((px - a) / (b - a)) * (till - from);
    return log ? Math.exp(v) : v;
  };
  const [low, high] = log ? [Math.exp(from), Math.exp(till)] : [from, till];
  const wanted = Math.max(2, Math.min(7, Math.abs(b - a) / 70));
  const values = axis.words
    ? axis.words.map((_, k) => k)
    : log
      ? logarithmic(low, high, axis.whole)
      : linear(low, Math.min(high, axis.share ? 1 : high), axis.whole, wanted);
  const labels = values.map(writer(axis));
  const alike = new Set(labels).size < labels.length; // so that they need more digits
  return { at, back, ticks: values.map((v, k) => ({ v, label: alike ? writer(axis, 12)(v) : labels[k] })) };
}
