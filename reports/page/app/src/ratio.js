// Ratios and differences of units to an optimum that may be known only between two ends: the rules of packages ratio and
// summary. Filters choose units; the best known values and bounds stay those of the whole result set.

import { geoMean, mean } from './stats.js';

const zero = 1e-9; // below it a value counts as 0
const snap = (x) => (Math.abs(x) < zero ? 0 : x);

/** Whether two objective values are one number up to rounding. */
export const equal = (a, b) => Math.abs(a - b) <= Math.max(zero, 1e-9 * Math.max(Math.abs(a), Math.abs(b)));

/** value/optimum, mirrored for maximisation; NaN where that means nothing: a single zero, or a negative value. */
export function quotient(p, value, optimum) {
  const [n, d] = p.sense < 0 ? [optimum, value] : [value, optimum];
  if (n === 0 && d === 0) return 1;
  return n <= 0 || d <= 0 ? NaN : n / d;
}

/** value − optimum, mirrored for maximisation; 0 where it is no more than rounding. */
const difference = (p, value, optimum) => (equal(value, optimum) ? 0 : p.sense * (value - optimum));

/** Unit u against a reference: both ends, NaN where not known. */
export function row(p, view, u) {
  const i = p.col.instance[u];
  const out = { lo: NaN, hi: NaN, undefined: false };
  const x = snap(p.col.value[u]);
  if (Number.isNaN(x) || p.trouble[i] || view.leavesOut[p.col.variant[u]]) return out;
  const value = view.value[i];
  const bound = view.bound[i];
  if (view.difference) {
    out.lo = difference(p, x, value);
    out.hi = difference(p, x, bound);
    return out;
  }
  if (!Number.isNaN(value)) {
    out.lo = quotient(p, x, snap(value));
    out.undefined = Number.isNaN(out.lo);
  }
  if (!Number.isNaN(bound) && !out.undefined) out.hi = quotient(p, x, snap(bound));
  return out;
}

/** Whether the optimum of the view's reference is known on instance i. */
export const proven = (p, view, i) => !p.trouble[i] && view.proven[i] === 1;

/** Whether unit u makes solutions of the view's reference: neither augmented, nor waiving, nor of a wider class. */
export const solves = (p, view, u) => ((p.col.solves[u] >> view.place) & 1) === 1;

const nowhere = { lo: NaN, hi: NaN };

/**
 * A Cell is one variant on one instance, its seeds aggregated: ratios by geometric, differences by arithmetic mean; plain
 * has arithmetic means of both, and far is the worst unit, not averaged.
 * @typedef {{instance: number, units: number[], lo: number, hi: number, plain: {lo: number, hi: number}, worst: number,
 *   far: {lo: number, hi: number}, undefined: boolean, optimal: boolean, compared: boolean, solved: boolean}} Cell
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
    compared: false,
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
    const d = Number.isNaN(r.hi) ? r.lo : r.hi;
    if (r.undefined && far < Infinity) {
      far = Infinity;
      c.worst = u;
      c.far = r;
    } else if (d > far) {
      far = d;
      c.worst = u;
      c.far = r;
    }
  }
  c.optimal = optimal === units.length;
  const average = view.difference ? mean : geoMean;
  if (los.length > 0 && !c.undefined) c.lo = los.length === 1 ? los[0] : average(los);
  if (his.length > 0 && his.length >= los.length && !c.undefined) c.hi = his.length === 1 ? his[0] : average(his);
  c.compared = !Number.isNaN(c.lo) && !Number.isNaN(c.hi);
  if (c.compared) c.plain = los.length === 1 ? c.far : { lo: mean(los), hi: mean(his) };
  return c;
}

/** How far a cell's worst unit is from the optimum, for sorting: undefined quotients first. */
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
