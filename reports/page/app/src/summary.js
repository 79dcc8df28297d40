// The tables' numbers, as package summary computes them, under the names of summary.json.

import {
  bootstrap,
  disagreement,
  geoMean,
  holm,
  identified,
  logs,
  mean,
  normal,
  paired,
  par,
  quantile,
  resampler,
  shiftedGeoMean,
  significant,
  sorted,
} from './stats.js';
import { beside, contender, equal, proven, solves } from './ratio.js';
import { related, word } from './data.js';

export const quantiles = [0.25, 0.5, 0.75, 0.9, 0.95];

/** The class of all instances. */
export const all = { source: '', metric: '', stratum: '' };

/** What tables call a class. */
export const className = (c) => [c.metric, c.source, c.stratum].filter(Boolean).join(', ');

/** The classes of the selected instances: all first, then, if there are several kinds, each. */
export function classes(p, instances) {
  const kinds = new Map();
  for (const i of instances) {
    const c = classOf(p, i);
    kinds.set(className(c), c);
  }
  if (kinds.size === 1) return [all];
  const order = (a, b) => (a < b ? -1 : Number(a > b));
  const place = (c) => (c.stratum ? p.words.stratum.indexOf(c.stratum) : -1); // factors are in the order of their values
  return [
    all,
    ...[...kinds.values()].sort((a, b) => order(a.metric, b.metric) || order(a.source, b.source) || place(a) - place(b)),
  ];
}

const classOf = (p, i) => ({ source: word(p, 'source', i), metric: word(p, 'metric', i), stratum: word(p, 'stratum', i) });


/** Ratios of every variant of a view, for all instances or for every class, the first of which is all. */
export function ratios(p, view, chosen, list = classes(p, chosen.instances)) {
  const out = [];
  for (const c of list) {
    const cells = chosen.cells.map((list) => (c === all ? list : list.filter((x) => className(classOf(p, x.instance)) === className(c))));
    const common = commonTo(
      p,
      cells.filter((list, k) => contender(p.variants[k]) && list.some((x) => x.counted)),
    );
    const rows = [];
    p.variants.forEach((v, k) => {
      if (cells[k].length > 0) rows.push(summarize(p, view, v, c, cells[k], common));
    });
    markBest(rows);
    out.push(...rows);
  }
  return out;
}

/** What algorithms are sorted by first, smaller first; as Quality in package summary. */
export const quality = (r) => (!ranked(r) ? Infinity : !Number.isNaN(r.common_mean.hi) ? r.common_mean.hi : lead(r).hi);

const lead = (r) => (r.difference ? r.arithmetic_mean : r.geometric_mean);
const ranked = (r) => contender(r) && r.compared > 0;
const compare3 = (a, b) => (a === b ? 0 : a - b);

/** Puts the better algorithm first, as byQuality in package summary. */
export const byQuality = (a, b) =>
  compare3(quality(a), quality(b)) || a.infinite - b.infinite || compare3(a.quantiles[1].hi, b.quantiles[1].hi);

/** Marks the best of a class and what is not certainly worse, as package summary does. */
function markBest(rows) {
  const list = rows.filter(ranked).sort(byQuality);
  const apart = (x, y, regret) => (equal(x, y) ? 0 : regret ? x - y : Math.log(x / y));
  const ps = list.map((r) =>
    r.shared.length === list[0].shared.length ? paired(r.shared.map((y, i) => apart(list[0].shared[i], y, r.difference))).wilcoxon : NaN,
  );
  holm(ps).forEach((p, k) => (list[k].best = !(p < significant)));
}

/** The instances that count for all of the lists, none of which is without any. */
function commonTo(p, lists) {
  const compared = new Uint32Array(p.instances.length);
  for (const list of lists) for (const x of list) if (x.counted) compared[x.instance]++;
  const has = (i) => lists.length > 0 && compared[i] === lists.length;
  return { has, size: compared.reduce((n, _, i) => n + (has(i) ? 1 : 0), 0) };
}

function summarize(p, view, variant, c, cells, common) {
  const r = {
    ...variant,
    ...c,
    reference: view.reference,
    difference: view.difference,
    units: 0,
    statuses: {},
    instances: cells.length,
    compared: 0,
    undefined: 0,
    no_bound: 0,
    no_value: 0,
    no_solution: 0,
    untrusted: 0,
    unsolved: 0,
    infinite: 0,
    best: false,
    proven: 0,
    optimal: 0,
    outside: true,
    worst: null,
    common_instances: common.size,
    common_mean: { lo: NaN, hi: NaN },
    los: [],
    his: [],
    plain: { los: [], his: [] },
  };
  const shared = { los: [], his: [] };
  const quotients = { los: [], his: [] };
  let seconds = [];
  const statuses = p.words.status.map(() => 0);
  const skipped = p.words.status.indexOf('skipped');
  for (const x of cells) {
    for (const u of x.units) {
      r.units++;
      r.outside &&= !solves(p, view, u);
      const status = p.col.status[u];
      statuses[status]++;
      if (status !== skipped && !Number.isNaN(p.col.seconds[u])) seconds.push(p.col.seconds[u]);
    }
    if (proven(p, view, x.instance)) {
      r.proven++;
      if (x.optimal) r.optimal++;
    }
    if (p.trouble[x.instance]) r.untrusted++;
    else if (x.counted) {
      const q = view.difference ? beside(p, view, x) : x;
      quotients.los.push(q.lo);
      quotients.his.push(q.hi);
      if (q.hi === Infinity || x.failed) r.infinite++;
      if (x.failed) {
        r.unsolved++;
        r.no_solution++;
      } else r.compared++;
      r.los.push(x.lo);
      r.his.push(x.hi);
      r.plain.los.push(x.plain.lo);
      r.plain.his.push(x.plain.hi);
      if (common.has(x.instance)) {
        shared.los.push(x.lo);
        shared.his.push(x.hi);
      }
      if (!r.worst || x.far.hi > r.worst.hi)
        r.worst = {
          lo: x.far.lo,
          hi: x.far.hi,
          instance: p.instances[x.instance],
          seed: p.col.seed[x.worst],
          unit: x.worst,
        };
    } else if (x.undefined) r.undefined++;
    else if (!Number.isNaN(x.lo)) r.no_bound++;
    else if (x.solved) r.no_value++;
    else r.no_solution++;
  }
  statuses.forEach((n, k) => n && (r.statuses[p.words.status[k]] = n));
  const span = (f, { los, his }) => ({ lo: f(los), hi: f(his), ci_lo: NaN, ci_hi: NaN });
  r.arithmetic_mean = span(mean, r.plain);
  r.geometric_mean = span(geoMean, quotients);
  r.shared = shared.his;
  if (shared.los.length === common.size) {
    const lead = view.difference ? mean : geoMean;
    r.common_mean = { lo: lead(shared.los), hi: lead(shared.his) };
  }
  const los = sorted(r.los);
  const his = sorted(r.his);
  r.quantiles = quantiles.map((q) => ({ p: q, lo: quantile(los, q), hi: quantile(his, q) }));
  seconds = Array.from(sorted(seconds));
  r.seconds = {
    units: seconds.length,
    shifted_geometric_mean: shiftedGeoMean(seconds, 1),
    median: quantile(seconds, 0.5),
    max: quantile(seconds, 1),
  };
  return r;
}

/** Fills in the interval of the leading mean. */
export function addInterval(p, r) {
  const seed = resampler(p.seed, p.name, r.reference, String(r.difference), r.algorithm, r.mark ?? '');
  const of = r.difference ? (xs) => xs : logs;
  const ends = identified(seed, of(r.los), of(r.his));
  const [ci_lo, ci_hi] = r.difference ? ends : ends.map(Math.exp);
  Object.assign(lead(r), { ci_lo, ci_hi });
}

/** How the selected units ended, by variant. */
export function outcomes(p, mask) {
  const out = p.variants.map((v) => ({ ...v, units: 0, instances: 0, solutions: 0, statuses: {}, last: -1 }));
  for (let u = 0; u < p.units; u++) {
    if (!mask[u]) continue;
    const o = out[p.col.variant[u]];
    const status = word(p, 'status', u);
    o.units++;
    o.statuses[status] = (o.statuses[status] ?? 0) + 1;
    if (!Number.isNaN(p.col.value[u])) o.solutions++;
    if (p.col.instance[u] !== o.last) o.instances++;
    o.last = p.col.instance[u];
  }
  return out.filter((o) => o.units > 0);
}

/** How much is known of the optima of the selected instances, by reference. */
export function references(p, instances) {
  return p.references.map((ref) => {
    const out = { ...ref, total: instances.length, proven: 0, easy: 0, open: 0, value_only: 0, unknown: 0, untrusted: 0 };
    for (const i of instances) {
      out.easy += p.col[`easy:${ref.name}`][i];
      if (word(p, 'trouble', i)) out.untrusted++;
      else if (p.col[`proven:${ref.name}`][i]) out.proven++;
      else if (Number.isNaN(p.col[`value:${ref.name}`][i])) out.unknown++;
      else if (Number.isNaN(p.col[`bound:${ref.name}`][i])) out.value_only++;
      else out.open++;
    }
    return out;
  });
}

/** The instances with a selected unit. */
export function instancesOf(p, mask) {
  const out = [];
  for (let i = 0; i < p.instances.length; i++) {
    for (let u = p.first[i]; u < p.first[i + 1]; u++) {
      if (mask[u]) {
        out.push(i);
        break;
      }
    }
  }
  return out;
}

/** Mean values of a variant's seeds by instance, the worst of all without a solution, for head-to-head comparisons; trusted instances only. */
function values(p, mask) {
  const out = p.variants.map(() => new Map());
  for (let u = 0; u < p.units; u++) {
    const i = p.col.instance[u];
    if (!mask[u] || word(p, 'status', u) === 'skipped' || word(p, 'trouble', i)) continue;
    const at = out[p.col.variant[u]];
    const value = Number.isNaN(p.col.value[u]) ? p.sense * Infinity : p.col.value[u];
    if (at.has(i)) at.get(i).push(value);
    else at.set(i, [value]);
  }
  for (const at of out) for (const [i, xs] of at) at.set(i, mean(xs));
  return out;
}

/** Every two selected contenders on the instances that both were run on; with against, all others with that one. */
export function pairs(p, mask, against) {
  const at = values(p, mask);
  const list = [...p.variants.keys()].filter((v) => at[v].size > 0 && contender(p.variants[v]));
  const out = [];
  list.forEach((a, k) => {
    for (const b of against ? list : list.slice(k + 1)) {
      const [x, y] = [p.variants[a], p.variants[b]];
      if (a === b || (against && y.algorithm !== against) || !related(p, x.class, y.class)) continue;
      const seed = resampler(p.seed, p.name, 'pair', x.algorithm, y.algorithm);
      out.push({ a: x.algorithm, b: y.algorithm, ...compare(p, at[a], at[b], seed) });
    }
  });
  for (const key of ['sign_p', 'wilcoxon_p']) holm(out.map((q) => q[key])).forEach((adjusted, k) => (out[k][key] = adjusted));
  for (const q of out) q.remark = disagreement(q.test, q.sign_p, q.wilcoxon_p, q.a, q.b);
  return out;
}

function compare(p, a, b, seed) {
  const diffs = [];
  const quotients = [];
  for (const [i, x] of a) {
    if (!b.has(i)) continue;
    const y = b.get(i);
    const worse = p.sense * Infinity;
    const d = equal(x, y) ? 0 : (p.sense * (x - y)) / (x === worse || y === worse ? 1 : Math.max(Math.abs(x), Math.abs(y)));
    diffs.push(d);
    if (word(p, 'comparison', i) === 'difference' || (x < 0 && x !== worse) || (y < 0 && y !== worse)) continue;
    quotients.push(d === 0 || Math.abs(d) === Infinity ? d : p.sense * Math.log(x / y));
  }
  const t = paired(diffs);
  const [ci_lo, ci_hi] = bootstrap(seed, normal, quotients)[0].map(Math.exp);
  return {
    instances: t.n,
    unmatched: a.size + b.size - 2 * t.n,
    win: t.win,
    tie: t.tie,
    loss: t.loss,
    quotient: Math.exp(mean(quotients)),
    positive: quotients.length,
    ci_lo,
    ci_hi,
    sign_p: t.sign,
    wilcoxon_p: t.wilcoxon,
    test: t,
  };
}

/** The methods of the exact algorithms, by algorithm, model and solver. */
export function solvers(p, mask) {
  const at = new Map();
  const { col } = p;
  for (let u = 0; u < p.units; u++) {
    const v = p.variants[col.variant[u]];
    const status = word(p, 'status', u);
    if (!mask[u] || v.kind !== 'exact' || (v.mark && !v.at_home) || status === 'skipped') continue;
    const m = { algorithm: word(p, 'algorithm', u), model: word(p, 'model', u), solver: word(p, 'solver', u) };
    const key = [m.algorithm, m.model, m.solver].join('\u0000');
    if (!at.has(key))
      at.set(key, {
        ...m,
        versions: new Set(),
        units: 0,
        solved: 0,
        times: [],
        first: [],
        gap: [],
        nodes: [],
        columns: [],
        rows: [],
        memory: NaN,
      });
    const s = at.get(key);
    s.units++;
    const solved = status === 'optimal' || status === 'infeasible';
    if (solved) s.solved++;
    s.times.push({
      unit: u,
      key: `${col.instance[u]}/${col.seed[u]}`,
      seconds: col.seconds[u],
      limit: col.limit[u],
      solved,
    });
    s.first.push(col.first[u]);
    if (!solved) s.gap.push(col.gap[u]);
    if (word(p, 'version', u)) s.versions.add(word(p, 'version', u));
    for (const name of ['nodes', 'columns', 'rows']) if (!Number.isNaN(col[name][u])) s[name].push(col[name][u]);
    if (!(col.memory[u] <= s.memory) && !Number.isNaN(col.memory[u])) s.memory = col.memory[u];
  }
  const out = [...at.keys()].sort().map((k) => at.get(k));
  for (const s of out) {
    for (const f of [1, 2, 10]) s[`par${f}_seconds`] = shiftedGeoMean(par(s.times, f), 1);
    for (const name of ['first', 'nodes', 'columns', 'rows']) s[name] = quantile(sorted(s[name]), 0.5);
    if (!Number.isFinite(s.first)) s.first = NaN;
    s.gap = s.gap.reduce((sum, g) => sum + g, 0) / s.gap.length;
  }
  for (const group of sameAlgorithm(out)) {
    common(group, false).forEach((times, k) => {
      group[k].common_seconds = shiftedGeoMean(
        times.map((t) => t.seconds),
        1,
      );
      group[k].common_instances = times.length;
    });
  }
  return out;
}

/** Splits solvers into the groups that solve the same thing. */
export function sameAlgorithm(list) {
  const groups = new Map();
  for (const s of list) groups.set(s.algorithm, [...(groups.get(s.algorithm) ?? []), s]);
  return [...groups.values()];
}

/** The times of each method on the instance and seed pairs that all of them solved, or tried. */
export function common(group, unsolved) {
  const count = new Map();
  for (const s of group)
    for (const t of s.times) if (t.solved || unsolved) count.set(t.key, (count.get(t.key) ?? 0) + 1);
  return group.map((s) => s.times.filter((t) => count.get(t.key) === group.length));
}

/** Wall times by variant; a unit that was to be solved and was not costs factor times its limit. */
export function times(p, mask, factor) {
  const out = p.variants.map((v) => ({ ...v, list: [] }));
  for (let u = 0; u < p.units; u++) {
    const status = word(p, 'status', u);
    if (!mask[u] || status === 'skipped' || Number.isNaN(p.col.seconds[u])) continue;
    const v = p.variants[p.col.variant[u]];
    const solved =
      v.kind === 'exact'
        ? status === 'optimal' || status === 'infeasible'
        : status === 'feasible' || status === 'optimal';
    out[p.col.variant[u]].list.push({ unit: u, seconds: p.col.seconds[u], limit: p.col.limit[u], solved });
  }
  return out
    .filter((o) => o.list.length > 0)
    .map((o) => {
      const xs = par(o.list, factor);
      const order = sorted(xs.filter((x) => !Number.isNaN(x)));
      return {
        ...o,
        units: o.list.length,
        solved: o.list.filter((t) => t.solved).length,
        xs,
        mean: shiftedGeoMean(xs, 1),
        median: quantile(order, 0.5),
        max: quantile(order, 1),
      };
    });
}
