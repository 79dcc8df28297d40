// Ratios and regrets of units to an optimum that may be known only between two ends: the rules of packages ratio and
// summary. Filters choose units; the best known values and bounds stay those of the whole result set.

import { word } from './data.js';
import { geoMean, mean } from './stats.js';

const zero = 1e-9; // below it a value counts as 0
const snap = (x) => (Math.abs(x) < zero ? 0 : x);

/** Whether two objective values are one number up to rounding. */
export const equal = (a, b) =>
  a === b || Math.abs(a - b) <= Math.max(zero, 1e-9 * Math.min(Number.MAX_VALUE, Math.max(Math.abs(a), Math.abs(b))));

/** value/optimum, mirrored for maximisation; NaN where that means nothing, as of a negative value, and infinite over zero alone. */
export function quotient(p, value, optimum) {
  const [n, d] = p.sense < 0 ? [optimum, value] : [value, optimum];
  if (n === 0 && d === 0) return 1;
  return n < 0 || d < 0 ? NaN : n / d;
}

/** value − optimum, mirrored for maximisation; 0 where it is no more than rounding. */
const difference = (p, value, optimum) => (equal(value, optimum) ? 0 : p.sense * (value - optimum));

/** Both ends of the quotient of a value; the high one is NaN where the bound is 0 and says nothing. */
function quotients(p, x, value, bound) {
  const lo = quotient(p, x, snap(value));
  const hi = quotient(p, x, snap(bound));
  return { lo, hi: hi === Infinity && lo !== Infinity ? NaN : hi };
}

/** Unit u against a reference: both ends, NaN where not known, infinite if it ended without a solution. */
export function row(p, view, u) {
  const i = p.col.instance[u];
  const out = { lo: NaN, hi: NaN, undefined: false, failed: false };
  if (p.trouble[i] || view.leavesOut[p.col.variant[u]]) return out;
  const x = snap(p.col.value[u]);
  const value = view.value[i];
  const bound = view.bound[i];
  if (Number.isNaN(x)) {
    out.failed = word(p, 'status', u) !== 'skipped' && !Number.isNaN(value) && !Number.isNaN(bound);
    if (out.failed) out.lo = out.hi = Infinity;
    return out;
  }
  if (view.difference) {
    out.lo = difference(p, x, value) / view.scale[i];
    out.hi = difference(p, x, bound) / view.scale[i];
    return out;
  }
  const q = quotients(p, x, value, bound);
  out.lo = q.lo;
  out.undefined = !Number.isNaN(value) && Number.isNaN(out.lo);
  if (!out.undefined) out.hi = q.hi;
  return out;
}

/** The ratio beside a counted cell's regret, geometric over seeds; NaN: it is undefined. */
export function beside(p, view, c) {
  if (word(p, 'comparison', c.instance) === 'difference') return nowhere;
  if (c.failed) return { lo: Infinity, hi: Infinity };
  const ends = c.units
    .filter((u) => !Number.isNaN(p.col.value[u]))
    .map((u) => quotients(p, snap(p.col.value[u]), view.value[c.instance], view.bound[c.instance]));
  const of = (xs) => (xs.length === 1 ? xs[0] : geoMean(xs));
  return { lo: of(ends.map((e) => e.lo)), hi: of(ends.map((e) => e.hi)) };
}

/** Whether the optimum of the view's reference is known on instance i. */
export const proven = (p, view, i) => !p.trouble[i] && view.proven[i] === 1;

/** Whether unit u makes solutions of the view's reference: neither augmented, nor waiving, nor of a wider class. */
export const solves = (p, view, u) => ((p.col.solves[u] >> view.place) & 1) === 1;

/** How far a ratio or regret is from the optimum, as a fraction, and what tables and plots call that: as in package summary. */
export const far = (p, view, x) => (view.difference || x === Infinity ? x : p.sense < 0 ? 1 - 1 / x : x - 1);
export const apart = (p, view) => `${view.difference ? 'regret to' : p.sense < 0 ? 'below' : 'above'} ${view.reference}`;

const nowhere = { lo: NaN, hi: NaN };

/**
 * A Cell is one variant on one instance, its seeds aggregated: ratios by geometric, regrets by arithmetic mean; plain
 * has arithmetic means of both, and far is the worst unit, not averaged.
 * @typedef {{instance: number, units: number[], lo: number, hi: number, plain: {lo: number, hi: number}, worst: number,
 *   far: {lo: number, hi: number}, undefined: boolean, optimal: boolean, failed: boolean, counted: boolean, compared: boolean,
 *   finite: boolean, solved: boolean}} Cell counted: statistics count it, a failure among them; finite: it has a place in a figure
 *   worst: a unit, -1: none
 */

/** @returns {Cell} */
function cell(p, view, instance, units) {
  const los = [];
  const his = [];
  let far = -Infinity;
  let optimal = 0;
  const c = {
    instance,
    units,
    lo: NaN,
    hi: NaN,
    plain: nowhere,
    worst: -1,
    far: nowhere,
    undefined: false,
    optimal: false,
    failed: false,
    counted: false,
    compared: false,
    finite: false,
    solved: false,
  };
  for (const u of units) {
    const r = row(p, view, u);
    const value = p.col.value[u];
    c.undefined ||= r.undefined;
    if (!Number.isNaN(value)) {
      c.solved = true;
      const best = view.value[instance];
      const met = equal(best, value) || Math.abs(best - value) <= p.col.rounding[instance];
      if (proven(p, view, instance) && met && solves(p, view, u)) optimal++;
    }
    if (!Number.isNaN(r.lo)) los.push(r.lo);
    if (!Number.isNaN(r.hi)) his.push(r.hi);
    c.failed ||= r.failed;
    const d = r.undefined ? Infinity : Number.isNaN(r.hi) ? r.lo : r.hi;
    if (d > far) {
      far = d;
      c.worst = u;
      c.far = r;
    }
  }
  c.optimal = optimal === units.length;
  const average = view.difference ? mean : geoMean;
  if (los.length > 0 && !c.undefined) c.lo = los.length === 1 ? los[0] : average(los);
  if (his.length > 0 && his.length >= los.length && !c.undefined) c.hi = his.length === 1 ? his[0] : average(his);
  if (c.failed) c.lo = c.hi = Infinity;
  c.counted = !Number.isNaN(c.lo) && !Number.isNaN(c.hi);
  c.compared = c.counted && !c.failed;
  c.finite = c.compared && c.hi < Infinity;
  if (c.counted) c.plain = los.length === 1 ? c.far : { lo: mean(los), hi: mean(his) };
  return c;
}

/** How far a cell's worst unit is from the optimum, for sorting: failures and undefined quotients first. */
export const distance = (c) => (c.undefined ? Infinity : Number.isNaN(c.far.hi) ? c.far.lo : c.far.hi);

/** Whether instance i is compared as the view compares. */
export const within = (p, view, i) => (p.differs[i] === 1) === view.difference;

/**
 * The selected units of a view, by variant.
 * @param {Problem} p
 * @param {Uint8Array} mask 1 for the units selected
 * @returns {{instances: number[], cells: Cell[][]}} the instances with any unit; cells[v] in their order
 */
export function select(p, view, mask) {
  const { first, col } = p;
  const cells = p.variants.map(() => []);
  const instances = [];
  const groups = p.variants.map(() => []);
  for (let i = 0; i < p.instances.length; i++) {
    if (!within(p, view, i)) continue;
    const here = []; // variants with units on the instance
    let any = false;
    for (let u = first[i]; u < first[i + 1]; u++) {
      if (!mask[u]) continue;
      any = true;
      const v = col.variant[u];
      if (view.leavesOut[v]) continue;
      if (groups[v].length === 0) here.push(v);
      groups[v].push(u);
    }
    if (any) instances.push(i);
    for (const v of here) {
      cells[v].push(cell(p, view, i, groups[v]));
      groups[v] = [];
    }
  }
  return { instances, cells };
}

/** A variant that the report is about: neither marked nor an exact method nor a bound. */
export const contender = (v) => !v.mark && v.kind !== 'bound' && v.kind !== 'exact';
