// What the plots show: specs for plot.js.

import { distribution, at, mean, thin } from './stats.js';
import { apart, contender, far as away, quotient } from './ratio.js';
import { byQuality, className, common, sameAlgorithm, times } from './summary.js';
import { secs } from './format.js';

import { word } from './data.js';

const steps = 300; // of a curve
const maxRow = 400; // dots of an algorithm
const maxDots = 6_000; // of a plot, which draws quickly
const fastest = 1e-6; // seconds, below which times are not distinguished

/** The styles of variants, by their place. */
export const styles = (p) => p.variants.map((v) => v.style);

const dotted = (v) => Boolean(v.mark);
const quantity = (view) => `${view.difference ? 'regret' : 'ratio'} to ${view.reference}`;

/** The variants that plots of ratios show, with the cells that have a place in them, and of how many: neither exact nor augmented. */
function shown(p, chosen) {
  const out = [];
  p.variants.forEach((v, k) => {
    const compared = chosen.cells[k].filter((c) => c.finite);
    const counted = chosen.cells[k].filter((c) => c.counted).length;
    if (v.kind !== 'exact' && compared.length > 0 && p.col.augmentation[compared[0].units[0]] === 1)
      out.push({ v, k, cells: compared, counted });
  });
  return out;
}

function counts(list, of) {
  const sizes = list.map((s) => s.cells.length);
  if (sizes.every((n) => n === of)) return `n = ${of} instances.`;
  return `n of ${of} instances: ${list.map((s) => `${s.v.algorithm} ${s.cells.length}`).join(', ')}.`;
}

const bandNote =
  ' Where an optimum is not proven, the line uses the best proven bound and the band reaches to the best known value.';
const markNote = ' Dotted and *: not comparable.';

const isOpen = (list) => list.some((s) => s.cells.some((c) => c.lo !== c.hi));
const notes = (list) => (isOpen(list) ? bandNote : '') + (list.some((s) => s.v.mark) ? markNote : '');

/** The distribution of intervals: the line for the high ends, the edge for the low ends. */
function band(s, style, total) {
  const hi = thin(
    distribution(
      s.cells.map((c) => c.hi),
      total,
    ),
    steps,
  );
  const line = {
    label: s.v.algorithm,
    style: style[s.k],
    dotted: dotted(s.v),
    step: true,
    x: hi.x,
    y: hi.y,
    units: hi.last.map((i) => s.cells[i].worst),
  };
  if (s.cells.every((c) => c.lo === c.hi)) return line;
  const lo = thin(
    distribution(
      s.cells.map((c) => c.lo),
      total,
    ),
    steps,
  );
  const unit = new Map(hi.x.map((x, k) => [x, line.units[k]]));
  line.x = [...new Set([...hi.x, ...lo.x])].sort((a, b) => a - b);
  line.y = line.x.map((x) => at(hi, x));
  line.edge = line.x.map((x) => at(lo, x));
  line.units = line.x.map((x) => unit.get(x) ?? -1);
  return line;
}

/** Whether every algorithm is compared on all instances, so that the distribution of its ratios is its profile. */
const complete = (list, chosen) => list.every((s) => s.cells.length === chosen.instances.length);

export function ecdf(p, view, chosen, style, base) {
  const list = shown(p, chosen);
  if (list.length === 0 || (!view.difference && base === 'optimum' && complete(list, chosen))) return null;
  return {
    name: 'ecdf',
    title: `${p.name}: distribution of the ${quantity(view)}`,
    caption: counts(list, chosen.instances.length),
    how:
      `the height at x is the share of the instances, those without a solution among them, whose ${quantity(view)} is at most x; ` +
      `higher and further left is better.${notes(list)}`,
    x: { label: quantity(view), log: !view.difference },
    y: { label: 'compared instances', share: true },
    lines: list.map((s) => band(s, style, s.counted)),
  };
}

/** The Dolan–Moré profile, relative to the optimum or to the best of the algorithms selected. */
export function profile(p, view, chosen, style, base) {
  if (view.difference) return null;
  const total = chosen.instances.length;
  if (base === 'optimum') {
    const list = shown(p, chosen);
    if (list.length === 0) return null;
    return {
      name: 'profile',
      title: `${p.name}: performance profile, ${quantity(view)}`,
      caption: `n = ${total} instances.`,
      how:
        `the height at x is the share of all ${total} instances, solved or not, on which an algorithm is within the factor x of ` +
        `${view.reference}; ${
          complete(list, chosen)
            ? 'every algorithm is compared on all of them, so that this is the distribution of its ratios, too'
            : 'failures and infinite ratios are never reached'
        }.${notes(list)}`,
      x: { label: quantity(view), log: true },
      y: { label: 'all instances', share: true },
      lines: list.map((s) => band(s, style, total)),
    };
  }
  const value = (c) => mean(c.units.map((u) => p.col.value[u]));
  const list = [];
  const best = new Map();
  p.variants.forEach((v, k) => {
    const cells = chosen.cells[k].filter((c) => !word(p, 'trouble', c.instance) && !Number.isNaN(value(c)));
    if (!contender(v) || cells.length === 0) return;
    list.push({ v, k, cells });
    for (const c of cells) {
      const x = value(c);
      if (!best.has(c.instance) || p.sense * x < p.sense * best.get(c.instance)) best.set(c.instance, x);
    }
  });
  if (list.length === 0) return null;
  return {
    name: 'profile',
    title: `${p.name}: performance profile, relative to the best algorithm selected`,
    caption: `n = ${total} instances.`,
    how:
      `the height at x is the share of all ${total} instances on which an algorithm's value is within the factor x of the best of ` +
      'the algorithms selected, so that it changes with the selection; the height at 1 is how often an algorithm is the best.',
    x: { label: 'value relative to the best selected', log: true },
    y: { label: 'all instances', share: true },
    lines: list.map((s) => {
      const xs = s.cells.map((c) => quotient(p, value(c), best.get(c.instance)));
      const c = thin(distribution(xs, total), steps);
      return {
        label: s.v.algorithm,
        style: style[s.k],
        step: true,
        x: c.x,
        y: c.y,
        units: c.last.map((i) => s.cells[i].units[0]),
      };
    }),
  };
}

/** The features against which ratios can be drawn. */
export const features = (p) =>
  ['n_jobs', ...p.features.map((f) => f.name), 'augmentation'].filter((x, i, all) => all.indexOf(x) === i);

/** A feature as an axis has it. */
export const featureLabel = (p, name) =>
  p.features.find((f) => f.name === name)?.label ?? { n_jobs: 'jobs', augmentation: 'speed or capacity factor' }[name] ?? name;

/** The feature to draw against: the one wanted, else the first that varies. */
export function axis(p, wanted) {
  const all = features(p);
  if (all.includes(wanted)) return wanted;
  const values = (name) =>
    name === 'augmentation' ? p.col.augmentation : p.col[name === 'n_jobs' ? name : `feature:${name}`];
  return all.find((name) => values(name).some((x) => x !== values(name)[0])) ?? all[0];
}

/** Rounds values so that few are left to average over, as trends.go does. */
function binning(xs, instances) {
  const exact = (x) => Number(x.toPrecision(9));
  const distinct = new Set(xs.map(exact));
  let lo = Infinity;
  let hi = -Infinity;
  for (const x of xs) [lo, hi] = [Math.min(lo, x), Math.max(hi, x)];
  const log = lo > 0 && hi >= 50 * lo;
  const full = Math.max(4, Math.floor(instances / 3));
  const most = Math.min(xs.every(Number.isInteger) ? 20 : 12, distinct.size > full ? full : Infinity);
  if (distinct.size <= most) return { round: exact, note: '', log };
  if (lo >= 1 && log)
    return { round: (x) => 2 ** Math.round(Math.log2(x)), note: ' Averages over powers of two.', log };
  const least = (hi - lo) / Math.min(most, 12);
  const decade = 10 ** Math.floor(Math.log10(least));
  const step = decade * [1, 2, 2.5, 5, 10].find((m) => m * decade >= least);
  return {
    round: (x) => exact(Math.round(x / step) * step),
    note: ` Averages over multiples of ${Number(step.toPrecision(3))}.`,
    log: false,
  };
}

/** Ratios against a feature of the instances, or against the augmentation with what is proven. */
export function trend(p, view, chosen, style, name) {
  if (name === 'augmentation') return augmentation(p, view, chosen);
  const feature = p.features.find((f) => f.name === name);
  const column = name === 'n_jobs' ? p.col.n_jobs : p.col[`feature:${name}`];
  const list = shown(p, chosen);
  if (list.length === 0 || !column) return null;
  let words = null;
  let value = (c) => column[c.instance];
  if (feature?.words) {
    words = [...new Set(list.flatMap((s) => s.cells.map((c) => feature.words[column[c.instance]])))]
      .filter(Boolean)
      .sort();
    value = (c) => (feature.words[column[c.instance]] ? words.indexOf(feature.words[column[c.instance]]) : NaN);
  }
  for (const s of list) s.cells = s.cells.filter((c) => Number.isFinite(value(c)));
  const seen = new Set(list.flatMap((s) => s.cells.map(value)));
  if (seen.size < 2) return null; // there is nothing to see against what does not vary
  const bin = words ? { round: (x) => x, note: '', log: false } : binning(list.flatMap((s) => s.cells.map(value)), Math.max(...list.map((s) => s.cells.length)));
  const total = list.reduce((n, s) => n + s.cells.length, 0);
  const every = Math.ceil(total / maxDots) || 1;
  const sources = [...new Set(list.flatMap((s) => s.cells.map((c) => word(p, 'source', c.instance))))];
  const lines = [];
  const dots = [];
  // Where most values belong to one instance, a line would join instances that have nothing in common: dots say it all.
  const scattered = !words && list.every((s) => new Set(s.cells.map((c) => bin.round(value(c)))).size > s.cells.length / 2);
  list.forEach((s, n) => {
    // A line through instances of two sources would be a zigzag that neither has.
    sources.forEach((source) => {
      if (scattered) return;
      const groups = new Map();
      for (const c of s.cells) {
        if (word(p, 'source', c.instance) !== source) continue;
        const x = bin.round(value(c));
        if (!groups.has(x)) groups.set(x, []);
        groups.get(x).push(c);
      }
      if (groups.size === 0) return;
      const x = [...groups.keys()].sort((a, b) => a - b);
      const of = (f) => x.map((k) => f(groups.get(k)));
      const far = of((cs) => cs.reduce((a, b) => (b.far.hi > a.far.hi ? b : a)));
      const line = {
        label: s.v.algorithm,
        style: style[s.k],
        dotted: dotted(s.v),
        x,
        y: of((cs) => mean(cs.map((c) => c.plain.hi))),
      };
      if (s.cells.some((c) => c.lo !== c.hi)) line.edge = of((cs) => mean(cs.map((c) => c.plain.lo)));
      lines.push(line, {
        label: s.v.algorithm,
        style: style[s.k],
        thin: true,
        x,
        y: far.map((c) => c.far.hi),
        units: far.map((c) => c.worst),
      });
    });
    const some = s.cells.filter((_, i) => i % every === 0);
    const spread = words ? (n - (list.length - 1) / 2) * Math.min(0.12, 0.7 / list.length) : 0; // beside each other
    dots.push({
      label: s.v.algorithm,
      style: style[s.k],
      quiet: !scattered,
      dotted: dotted(s.v),
      x: some.map((c) => value(c) + spread),
      y: some.map((c) => c.hi),
      units: some.map((c) => c.worst),
    });
  });
  const label = featureLabel(p, name);
  const whole = !words && list.every((s) => s.cells.every((c) => Number.isInteger(value(c))));
  return {
    name: 'trend',
    title: `${p.name}: ${quantity(view)} against ${label}`,
    caption: `${counts(list, chosen.instances.length)}${every > 1 ? ` One dot in ${every} is drawn.` : ''}`,
    how:
      'a dot is an instance, at the high end where the optimum is not proven' +
      (scattered
        ? '.'
        : `; lines are the arithmetic mean (solid) and the worst case (dashed)${
            sources.length > 1 ? `, one for each source of instances (${sources.join(', ')})` : ''
          }.${bin.note}`) +
      ' Other features, ' +
      `and metrics, are not held fixed: filter for that.${notes(list)}`,
    x: { label, log: bin.log, words, whole, percent: Boolean(feature?.share) },
    y: { label: quantity(view), log: !view.difference && list.some((s) => !s.v.mark && s.cells.some((c) => c.hi > 3)) },
    lines,
    dots,
  };
}

/** The furthest instance that has a place, and how many have none. */
const worstOf = (p, c, far, infinite) => ({
  value: far(c.far.hi),
  name: p.instances[c.instance] + (infinite ? `, ∞ on ${infinite}` : ''),
  unit: c.worst,
});

/** What the page begins with: how far from the optimum every algorithm is, the best first. */
export function overview(p, view, chosen, ratios, style) {
  const rows = ratios.filter((r) => r.kind !== 'exact' && r.kind !== 'bound' && r.compared > 0 && !className(r));
  const list = shown(p, chosen).filter((s) => rows.some((r) => same(r, s.v)));
  if (list.length === 0) return null;
  const lead = (r) => (view.difference ? r.arithmetic_mean : r.geometric_mean);
  const far = (x) => away(p, view, x);
  const way = apart(p, view);
  const at = list
    .map((s) => ({ s, r: rows.find((r) => same(r, s.v)) }))
    .sort((a, b) => Boolean(a.r.mark) - Boolean(b.r.mark) || byQuality(a.r, b.r));
  let every = 1;
  const out = at.map(({ s, r }) => {
    const cells = [...s.cells].sort((a, b) => b.hi - a.hi);
    const step = Math.ceil(cells.length / maxRow);
    every = Math.max(every, step);
    const m = lead(r);
    return {
      label: s.v.algorithm,
      style: style[s.k],
      dotted: dotted(s.v),
      dots: cells.filter((_, i) => i % step === 0).map((c) => ({ lo: far(c.lo), hi: far(c.hi), unit: c.worst })),
      mean: far(m.hi),
      ci: [far(m.ci_lo), far(m.ci_hi)],
      worst: worstOf(p, cells[0], far, s.counted - s.cells.length),
    };
  });
  const open = isOpen(list);
  return {
    name: 'distances',
    key: `overview-${p.name}-${view.reference}-${view.difference}`,
    file: `${p.name}-overview`,
    title: `${p.name}: distance from ${view.reference}`,
    caption:
      `${counts(list, chosen.instances.length)} Best first. Dot: an instance. Tick: the mean, with its 95 % interval. On the right: the worst.` +
      (open ? ' Bar: optimum not proven, from the low to the high end.' : '') +
      (every > 1 ? ` One dot in up to ${every} is drawn, the worst among them.` : ''),
    how:
      `a row is an algorithm, those with the smallest ${view.difference ? 'mean' : 'geometric mean'} first. ` +
      (view.difference ? 'The regret is a share of the scale that the instance fixes. ' : `A ratio of 1.25 is ${p.sense < 0 ? '20 % below' : '25 % above'} the optimum. `) +
      'A dot is an instance; how high it lies in its row means nothing. ' +
      (open ? 'Where the optimum is not proven, a bar reaches from the distance to the best known value to that to the best bound, and the dot is at the latter. ' : '') +
      'Box plots: quartiles, whiskers from the 5th to the 95th percentile, a cross at the worst. On the logarithmic scale the optimum has a place of its own on the left.' +
      (list.some((s) => s.v.mark) ? ' Algorithms marked * are not comparable and are shown when they are asked for.' : ''),
    axis: { label: way, percent: true },
    rows: out,
    zero: true,
    wide: true,
  };
}

const same = (r, v) => r.algorithm === v.algorithm && r.kind === v.kind && (r.mark ?? '') === (v.mark ?? '');

function augmentation(p, view, chosen) {
  const sweeps = new Map();
  p.variants.forEach((v, k) => {
    const cells = chosen.cells[k].filter((c) => c.finite);
    if (v.kind === 'exact' || cells.length === 0) return;
    const [, base, params] = /^(.*?)(?: \((.*)\))?\*?$/.exec(v.algorithm);
    const kept = (params ?? '').split(', ').filter((x) => x && !/^(capacity_factor|speed)=/.test(x));
    const label = kept.length ? `${base} (${kept.join(', ')})` : base;
    if (!sweeps.has(label)) sweeps.set(label, { label, at: new Map(), proof: v.proof, style: v.style });
    const s = sweeps.get(label);
    for (const c of cells) {
      const x = p.col.augmentation[c.units[0]];
      if (!s.at.has(x)) s.at.set(x, []);
      s.at.get(x).push(c);
    }
  });
  const list = [...sweeps.values()].filter((s) => s.at.size > 1);
  if (list.length === 0) return null;
  const lines = [];
  const proofs = [];
  list.forEach((s) => {
    const { style } = s;
    const x = [...s.at.keys()].sort((a, b) => a - b);
    const of = (f) => x.map((k) => f(s.at.get(k)));
    const far = of((cs) => cs.reduce((a, b) => (b.far.hi > a.far.hi ? b : a)));
    lines.push({ label: s.label, style, x, y: of((cs) => mean(cs.map((c) => c.plain.hi))) });
    lines.push({ label: s.label, style, thin: true, x, y: far.map((c) => c.far.hi), units: far.map((c) => c.worst) });
    const proof = of((cs) => Math.max(...cs.flatMap((c) => c.units.map((u) => p.col.proof[u])).filter((r) => r > 0)));
    const known = x.map((_, i) => i).filter((i) => Number.isFinite(proof[i]));
    if (known.length === 0) return;
    lines.push({
      label: `${s.label}, proven`,
      style,
      dotted: true,
      x: known.map((i) => x[i]),
      y: known.map((i) => proof[i]),
    });
    proofs.push(`${s.label}: ${s.proof}`);
  });
  return {
    name: 'trend',
    title: `${p.name}: ${quantity(view)} against augmentation`,
    caption: `Instances: ${list.map((s) => `${s.label} ${Math.max(...[...s.at.values()].map((c) => c.length))}`).join(', ')}.`,
    how:
      'arithmetic mean (solid) and worst case (dashed), at the high end where the optimum is not proven, against the speed or ' +
      `capacity factor that the algorithm has and the optimum has not.` +
      (proofs.length ? ` Dotted: what is proven. ${proofs.join('; ')}.` : ''),
    x: { label: 'speed or capacity factor' },
    y: { label: quantity(view) },
    lines,
  };
}

/** Wall times. */
export function wallTimes(p, mask, style, factor) {
  const list = times(p, mask, factor).filter((t) => t.kind !== 'bound');
  if (list.length === 0) return null;
  const n = list.reduce((sum, t) => sum + t.units, 0);
  return {
    name: 'times',
    title: `${p.name}: wall time by algorithm, PAR${factor}`,
    caption: `n = ${n} units.`,
    how:
      'the height at x is the share of the units that were done within x; one that was not solved counts as ' +
      `${factor} times its limit.`,
    x: { label: 'wall time', log: true, format: secs },
    y: { label: 'units', share: true },
    lines: list.map((t) => {
      const c = thin(
        distribution(
          t.xs.map((x) => Math.max(x, fastest)),
          t.units,
        ),
        steps,
      );
      const k = p.variants.findIndex((v) => v.algorithm === t.algorithm && v.kind === t.kind && v.mark === t.mark);
      return {
        label: t.algorithm,
        style: style[k],
        dotted: dotted(t),
        step: true,
        x: c.x,
        y: c.y,
        units: c.last.map((i) => t.list[i].unit),
      };
    }),
  };
}

/** Profiles of the methods of every exact algorithm, relative to the fastest of those selected. */
export function methods(p, solvers) {
  const out = [];
  for (const group of sameAlgorithm(solvers)) {
    const lists = common(group, true);
    const total = lists[0].length;
    if (group.length < 2 || total === 0) continue;
    const costs = lists.map((ts) => new Map(ts.map((t) => [t.key, t.solved ? Math.max(t.seconds, fastest) : NaN])));
    const best = new Map();
    for (const at of costs) for (const [key, x] of at) if (!(x >= best.get(key)) && !Number.isNaN(x)) best.set(key, x);
    out.push({
      name: `methods-${group[0].algorithm}`,
      title: `${p.name}: methods for ${group[0].algorithm}`,
      caption: `n = ${total} instances that all methods selected tried.`,
      how:
        'the height at x is the share of the instances which a method solved with a proof within the factor x of the ' +
        "fastest one's time.",
      x: { label: 'wall time relative to the fastest method', log: true },
      y: { label: 'instances', share: true },
      lines: group.map((s, k) => {
        const c = thin(
          distribution(
            lists[k].map((t) => costs[k].get(t.key) / best.get(t.key)),
            total,
          ),
          steps,
        );
        const label = [s.model, s.solver].filter(Boolean).join('/') || s.algorithm;
        return { label, style: k, step: true, x: c.x, y: c.y, units: c.last.map((i) => lists[k][i].unit) };
      }),
    });
  }
  return out;
}

/** The view that a problem's overview shows: of its first reference, ratios or differences, whichever has more instances. */
export function leadView(p) {
  const differing = p.differs.reduce((n, d) => n + d, 0);
  const wanted = 2 * differing > p.instances.length;
  return p.views.find((v) => v.reference === p.references[0].name && v.difference === wanted) ?? p.views[0];
}
