// The tables' cells, as table.go writes them.

import { confidence, dash, interval, num, percentage, pvalue, secs, share, whole } from './format.js';
import { el } from './dom.js';
import { apart, contender, far } from './ratio.js';
import { byQuality, className } from './summary.js';

const statuses = ['optimal', 'feasible', 'infeasible', 'timeout', 'oom', 'crash', 'invalid', 'error', 'skipped'];
const count = String;

/** The notes that the static report has below the table of a title. */
export function fixed(title) {
  const at = [...document.querySelectorAll('#static caption')].find((c) => c.textContent === title);
  const out = [];
  for (let e = at?.closest('.table').nextElementSibling; e?.matches('.note'); e = e.nextElementSibling) out.push(e.textContent);
  return out;
}

export function outcomes(list) {
  const used = statuses.filter((s) => list.some((o) => o.statuses[s] > 0));
  return {
    title: 'How every unit ended',
    text: 2,
    head: ['algorithm', 'kind', 'units', 'instances', 'checked solutions', ...used],
    rows: list.map((o) => ({
      apart: Boolean(o.mark),
      cells: [
        o.algorithm,
        o.kind,
        count(o.units),
        count(o.instances),
        count(o.solutions),
        ...used.map((s) => count(o.statuses[s] ?? 0)),
      ],
    })),
    notes: list
      .filter((o) => o.mark)
      .map((o) => `${o.algorithm}: ${o.mark}; not comparable, never a best known value.`),
  };
}

export function references(list) {
  return {
    title: 'What is known of the optima',
    text: 2,
    head: ['reference', 'class', 'optimum proven', 'easy', 'open', 'value only', 'no value', 'untrusted'],
    rows: list.map((r) => ({
      cells: [
        r.name,
        r.doc + (r.within ? ` (within ${r.within})` : ''),
        share(r.proven, r.total),
        count(r.easy),
        count(r.open),
        count(r.value_only),
        count(r.unknown),
        count(r.untrusted),
      ],
    })),
    notes: fixed('What is known of the optima').slice(0, 1),
  };
}

function notCompared(r) {
  const parts = [
    [r.undefined, 'undefined'],
    [r.no_bound, 'no bound'],
    [r.no_value, 'no reference value'],
    [r.no_solution, 'no solution'],
    [r.untrusted, 'untrusted'],
  ];
  return (
    parts
      .filter(([n]) => n > 0)
      .map(([n, what]) => `${n} ${what}`)
      .join(', ') || '0'
  );
}

const quantileOf = (r, p) => {
  const q = r.quantiles.find((x) => x.p === p);
  return interval(q.lo, q.hi);
};

const lead = (r) => (r.difference ? r.arithmetic_mean : r.geometric_mean);

function worst(r, distance, link) {
  if (!r.worst) return dash;
  const seed = r.units > r.instances ? `, seed ${BigInt.asUintN(64, BigInt(r.worst.seed))}` : '';
  const much = distance(r.worst);
  const node = el('span', {}, `${much} (`, link(r.worst.unit, r.worst.instance), `${seed})`);
  return { text: `${much} (${r.worst.instance}${seed})`, value: r.worst.hi, node };
}

/** A cell that is sorted by a number. */
const by = (value, text) => ({ text, value });

/** Puts the best of every class first, and behind the contenders what they are not compared with. */
function rank(list) {
  const classes = [...new Set(list.map(className))];
  const at = new Map(classes.map((c, k) => [c, k]));
  list.sort(
    (a, b) =>
      at.get(className(a)) - at.get(className(b)) ||
      contender(b) - contender(a) ||
      (contender(a) ? byQuality(a, b) : 0),
  );
}

/** A mean; one that is infinite with the number of instances that make it so. */
const average = (r, s, infinite, text = interval(s.lo, s.hi)) =>
  by(s.hi, text + (s.hi === Infinity ? ` (${infinite} of ${r.compared + r.unsolved})` : ''));

/**
 * The ratio table over all instances, or by class.
 * @param {(unit: number, text: string) => Node} link leads to a unit's instance
 */
export function ratios(all, p, view, byClass, link) {
  const list = all.filter((r) => byClass === Boolean(className(r)));
  rank(list);
  const uneven = list.some((r) => contender(r) && r.compared + r.unsolved !== r.common_instances);
  const never = list.filter((r) => contender(r) && r.compared + r.unsolved === 0).map((r) => r.algorithm);
  const distance = (s) => percentage(far(p, view, s.lo), far(p, view, s.hi));
  const infinite = (r) => (view.difference ? r.unsolved : r.infinite);
  const title = `${view.difference ? 'Regret' : 'Ratio'} to ${view.reference}${byClass ? ' by class' : ''}`;
  const columns = [
    ['algorithm', (r) => r.algorithm],
    [apart(p, view), (r) => average(r, lead(r), infinite(r), distance(lead(r)))],
    ['worst', (r) => worst(r, distance, link)],
    ['optimal', (r) => (r.outside ? dash : by(r.proven ? r.optimal / r.proven : NaN, share(r.optimal, r.proven)))],
    ['compared', (r) => `${r.compared}/${r.instances}`],
    ['geometric mean', (r) => average(r, r.geometric_mean, r.infinite), view.difference],
    ['mean', (r) => average(r, r.arithmetic_mean, infinite(r))],
    ['95 % interval', (r) => confidence(lead(r))],
    ['median', (r) => quantileOf(r, 0.5)],
    ['p90', (r) => quantileOf(r, 0.9)],
    ['not compared', notCompared],
    [
      'common mean',
      (r) => {
        const c = interval(r.common_mean.lo, r.common_mean.hi);
        return !Number.isNaN(r.common_mean.lo) ? `${c} (n\u00a0=\u00a0${r.common_instances})` : dash;
      },
      !uneven,
    ],
    [
      'ratio',
      (r) => average(r, r.geometric_mean, r.infinite),
      !view.difference || list.every((r) => Number.isNaN(r.geometric_mean.hi)),
    ],
    ['time', (r) => secs(r.seconds.shifted_geometric_mean)],
  ].filter(([, , skip]) => !skip);
  if (byClass) columns.unshift(['class', className]);
  const of = view.difference ? 'mean' : 'geometric mean';
  const notes = fixed(title).slice(0, view.difference ? 2 : 1);
  if (list.some((r) => r.outside)) {
    notes.push(
      `Optimal ${dash}: the solutions waive a constraint, are augmented or are of a wider class than ${view.reference}; they may ` +
        'be better than its optimum, with a ratio below 1, and its value is no sign of one.',
    );
  }
  if (uneven) {
    notes.push(
      'The algorithms are compared on different instances. What may be compared across rows is the column common mean, ' +
        `the ${of} over the n instances that count for all heuristics` +
        (never.length === 0
          ? '.'
          : byClass
            ? ', except those for which none of a class does.'
            : `, except those for which none does, "${never.join('", "')}".`),
    );
  }
  for (const r of list) {
    if (r.compared > 0 && r.compared < 6 && !byClass) {
      notes.push(`${r.algorithm}: ${r.compared} compared instances are too few for an interval; it takes 6.`);
    }
  }
  return {
    title,
    text: byClass ? 2 : 1,
    head: columns.map(([h]) => h),
    notes,
    best: [apart(p, view), 'common mean'],
    // four columns first, and a fifth where the rows are not about the same instances
    low: columns.map(([h]) => h).slice(byClass ? 5 : 4).filter((h) => h !== 'common mean'),
    rows: list.map((r) => ({ apart: Boolean(r.mark), best: r.best, cells: columns.map(([, f]) => f(r)) })),
  };
}

/** Pairs of algorithms; with against, all are of others with that one. */
export function pairs(list, against) {
  const columns = [
    [against ? 'algorithm' : 'A', (q) => q.a],
    ['B', (q) => q.b, against],
    ['instances', (q) => count(q.instances)],
    ['unmatched', (q) => count(q.unmatched)],
    [against ? 'better' : 'A better', (q) => count(q.win)],
    ['tie', (q) => count(q.tie)],
    [against ? 'worse' : 'B better', (q) => count(q.loss)],
    [against ? 'quotient' : 'A/B', (q) => num(q.quotient)],
    ['95 % interval', confidence],
    ['sign p', (q) => pvalue(q.sign_p)],
    ['Wilcoxon p', (q) => pvalue(q.wilcoxon_p)],
  ].filter(([, , skip]) => !skip);
  return {
    title: against ? `Head to head with ${against}` : 'Head to head',
    text: against ? 1 : 2,
    head: columns.map(([h]) => h),
    low: ['instances', 'unmatched', 'sign p'],
    rows: list.map((q) => ({ cells: columns.map(([, f]) => f(q)) })),
    notes: [...fixed('Head to head').slice(0, 1), ...list.filter((q) => q.remark).map((q) => `${q.a} and ${q.b}: ${q.remark}.`)],
  };
}

export function solvers(list) {
  return {
    title: 'Exact methods',
    text: 3,
    head: [
      'algorithm',
      'model',
      'solver',
      'solved',
      'PAR1',
      'PAR2',
      'PAR10',
      'solved by all',
      'n',
      'first value',
      'gap at limit',
      'median nodes',
      'median columns',
      'median rows',
      'max memory',
    ],
    rows: list.map((s) => ({
      cells: [
        s.algorithm,
        s.model || dash,
        [s.solver, [...s.versions].sort().join(', ')].filter(Boolean).join(' ') || dash,
        share(s.solved, s.units),
        secs(s.par1_seconds),
        secs(s.par2_seconds),
        secs(s.par10_seconds),
        secs(s.common_seconds),
        count(s.common_instances),
        secs(s.first),
        num(s.gap),
        whole(s.nodes),
        whole(s.columns),
        whole(s.rows),
        Number.isNaN(s.memory) ? dash : `${whole(s.memory / 2 ** 20)} MiB`,
      ],
    })),
    low: ['PAR1', 'PAR10', 'solved by all', 'n', 'gap at limit', 'median nodes', 'median columns', 'median rows', 'max memory'],
    notes: fixed('Exact methods'),
  };
}

export function times(list, factor) {
  return {
    title: `Wall times, PAR${factor}`,
    text: 2,
    head: ['algorithm', 'kind', 'solved', 'mean', 'median', 'max'],
    rows: list.map((t) => ({
      apart: Boolean(t.mark),
      cells: [t.algorithm, t.kind, share(t.solved, t.units), secs(t.mean), secs(t.median), secs(t.max)],
    })),
    notes: [
      `A unit that was not solved costs ${factor} times its limit: for exact methods one without a proof, for others one without a ` +
        'checked solution. Mean: geometric with shift 1 s; none if an unsolved unit had no limit.',
    ],
  };
}

export function simulations(list) {
  const several = new Set(list.map((s) => s.workload)).size > 1;
  const columns = [
    several && ['workload', (s) => s.workload],
    ['metric', (s) => (s.unit ? `${s.words} (${s.unit})` : s.words)],
    ['policy', (s) => s.policy],
    list.some((s) => s.varying) && ['parameters', (s) => s.varying || dash],
    ['repetitions', (s) => count(s.repetitions)],
    ['mean', (s) => num(s.mean)],
    ['95 % interval', confidence],
    ['min', (s) => num(s.min)],
    ['median', (s) => num(s.median)],
    ['max', (s) => num(s.max)],
  ].filter(Boolean);
  return {
    title: 'Simulated metrics',
    text: columns.findIndex(([h]) => h === 'repetitions'),
    head: columns.map(([h]) => h),
    low: ['repetitions', '95 % interval', 'min', 'median', 'max'],
    rows: list.map((s) => ({ cells: columns.map(([, f]) => f(s)) })),
    notes: fixed('Simulations').filter((n, k) => !k || n.includes(` of ${list[0].problem}:`)),
  };
}
