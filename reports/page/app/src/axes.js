// Scales and their ticks. A logarithmic scale is a linear one of logarithms, so that ratios between 1 and 2 get ticks of their
// own.

import { el } from './dom.js';

const tidy = (x) => String(Number(x.toPrecision(6)));

/** Round numbers in [lo, hi], about as many as wanted. */
export function linear(lo, hi, whole = false, wanted = 6) {
  const least = (hi - lo) / wanted || 1;
  const decade = 10 ** Math.floor(Math.log10(least));
  let step = decade * [1, 2, 2.5, 5, 10].find((m) => m * decade >= least * 0.999);
  if (whole) step = Math.max(1, Math.ceil(step));
  const out = [];
  for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + 1e-9 * step; k++)
    out.push(Number((k * step).toPrecision(12)));
  return out;
}

function logarithmic(lo, hi, whole) {
  if (hi / lo < 20) return linear(lo, hi, whole);
  const out = [];
  for (let e = Math.floor(Math.log10(lo)); e <= Math.log10(hi); e++)
    for (const m of hi / lo > 1e3 ? [1] : [1, 2, 5]) out.push(m * 10 ** e);
  return out.filter((t) => t >= lo * 0.999 && t <= hi * 1.001 && (!whole || Number.isInteger(t)));
}

/** @param {number[]} xs */
export function reach(xs) {
  let [lo, hi] = [Infinity, -Infinity];
  for (const x of xs) {
    if (!Number.isFinite(x)) continue;
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
export const writer = (a) =>
  a.words
    ? (v) => a.words[Math.round(v)] ?? ''
    : (a.format ?? (a.share || a.percent ? (v) => `${tidy(100 * v)} %` : tidy));

/**
 * Places the values from lo to hi on the pixels from a to b.
 * @param {Axis} axis
 * @returns {{at: (v: number) => number, back: (px: number) => number, ticks: {v: number, label: string}[]}}
 */
export function scale(axis, lo, hi, a, b) {
  if (!(lo <= hi)) [lo, hi] = axis.log ? [1, 10] : [0, 1];
  const log = axis.log && lo > 0;
  const to = log ? Math.log : (v) => v;
  let [from, till] = [to(lo), to(hi)];
  if (axis.words) [from, till] = [-0.5, axis.words.length - 0.5];
  else if (axis.share) [from, till] = [0, 1.02];
  else if (till > from) [from, till] = [from - 0.03 * (till - from), till + 0.04 * (till - from)];
  else [from, till] = log ? [from - 0.1, till + 0.1] : [from - (axis.whole ? 1 : 0.5), till + (axis.whole ? 1 : 0.5)];
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
  const write = writer(axis);
  return { at, back, ticks: values.map((v) => ({ v, label: write(v) })) };
}

/** The colour that a custom property stands for, in the light scheme if so wanted. */
export function color(name, light = false) {
  const probe = document.body.appendChild(
    el('span', { style: `color: var(--${name})${light ? '; color-scheme: light' : ''}` }),
  );
  const c = getComputedStyle(probe).color;
  probe.remove();
  return c;
}
