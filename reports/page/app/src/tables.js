// The tables' cells, as table.go writes them.

import { confidence, dash, interval, num, pvalue, secs, share, whole } from './format.js';
import { el } from './dom.js';
import { contender } from './ratio.js';
import { byQuality, className } from './summary.js';

const statuses = ['optimal', 'feasible', 'infeasible', 'timeout', 'oom', 'crash', 'invalid', 'error', 'skipped'];
const count = String;


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
    notes: [
      'Instances by reference. Open: the best value and the best bound do not meet. Untrusted: contradicted or unreadable. Easy: at least two ' +
        'heuristics have the optimum and the first bound is met, so that the instance tells nothing apart.',
    ],
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

function worst(r, link) {
  if (!r.worst) return dash;
  const seed = r.units > r.instances ? `, seed ${BigInt.asUintN(64, BigInt(r.worst.seed))}` : '';
  const text = `${interval(r.worst.lo, r.worst.hi)} (${r.worst.instance}${seed})`;
  if (!link) return text;
  const node = el('span', {}, `${interval(r.worst.lo, r.worst.hi)} (`, link(r.worst.unit, r.worst.instance), `${seed})`);
  return { text, value: r.worst.hi, node };
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
const average = (r, s, infinite) =>
  by(s.hi, interval(s.lo, s.hi) + (s.hi === Infinity ? ` (${infinite} of ${r.compared + r.unsolved})` : ''));

/**
 * The ratio table over all instances, or by class.
 * @param {(unit: number, text: string) => Node} link leads to a unit's instance
 */
export function ratios(all, view, byClass, link) {
  const list = all.filter((r) => byClass === Boolean(className(r)));
  rank(list);
  const uneven = list.some((r) => contender(r) && r.compared + r.unsolved !== r.common_instances);
  const never = list.filter((r) => contender(r) && r.compared + r.unsolved === 0).map((r) => r.algorithm);
  const columns = [
    ['algorithm', (r) => r.algorithm],
    ['compared', (r) => `${r.compared}/${r.instances}`],
    ['geometric mean', (r) => average(r, r.geometric_mean, r.infinite), view.difference],
    ['mean', (r) => average(r, r.arithmetic_mean, view.difference ? r.unsolved : r.infinite)],
    ['95 % interval', (r) => confidence(lead(r))],
    ['median', (r) => quantileOf(r, 0.5)],
    ['p90', (r) => quantileOf(r, 0.9)],
    ['worst', (r) => worst(r, link)],
    ['optimal', (r) => (r.outside ? dash : by(r.proven ? r.optimal / r.proven : NaN, share(r.optimal, r.proven)))],
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
  const seeds = view.difference ? 'arithmetically' : 'geometrically, for the column mean arithmetically';
  const notes = [
    `Every instance counts once, seeds averaged first: ${seeds}. ` +
      'Worst: of all units, seeds not averaged. a … b: the statistic of the low ends (best known value) and of the high ends (best proven bound), ' +
      'between which it lies as far as optima are not known; one number where they agree. ' +
      `95 % interval: where the ${of} lies with the sampling of instances as well (Imbens and Manski 2004, by bootstrap). ` +
      'An algorithm that ended without a solution counts as ∞, with the number of such instances. ' +
      'Optimal: of the instances with a proven optimum, those on which every seed has it. Best, in colour: the first, and what is not certainly ' +
      "worse on the same instances (Wilcoxon's test, Holm's correction, 5 %). Time: geometric mean with shift 1 s over all units; that of a command includes the start of its process.",
  ];
  if (view.difference) {
    notes.push(
      "Regret: the distance from the optimum over a scale that the instance fixes, defined on the problem's page in docs/problems. " +
        'Ratio: geometric mean where all are defined; ∞ where a value is not optimal though the optimum is 0, with the number of such instances.',
    );
  }
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
    title: `${view.difference ? 'Regret' : 'Ratio'} to ${view.reference}${byClass ? ' by class' : ''}`,
    text: byClass ? 2 : 1,
    head: columns.map(([h]) => h),
    notes,
    best: [view.difference ? 'mean' : 'geometric mean', 'common mean'],
    low: ['compared', 'mean', 'median', 'p90', 'not compared', 'common mean', '95 % interval', 'time'],
    rows: list.map((r) => ({ apart: Boolean(r.mark), best: r.best, cells: columns.map(([, f]) => f(r)) })),
  };
}

export function pairs(list) {
  return {
    title: 'Head to head',
    text: 2,
    head: ['A', 'B', 'instances', 'unmatched', 'A better', 'tie', 'B better', 'A/B', 'sign p', 'Wilcoxon p'],
    rows: list.map((q) => ({
      cells: [
        q.a,
        q.b,
        count(q.instances),
        count(q.unmatched),
        count(q.win),
        count(q.tie),
        count(q.loss),
        num(q.quotient),
        pvalue(q.sign_p),
        pvalue(q.wilcoxon_p),
      ],
    })),
    notes: [
      'On the instances that both were run on and apply to; ties within 1e-9, and an algorithm without a solution is worse by an infinite ' +
        'difference. A/B: geometric mean of the quotient of the two values, mirrored for maximisation, below 1 where A is better. Sign test: ' +
        `two-sided, exact. Wilcoxon signed rank test on relative differences: two-sided. Both are adjusted for the number of pairs by Holm's method. ${dash}: fewer than 6 instances differ.`,
      ...list.filter((q) => q.remark).map((q) => `${q.a} and ${q.b}: ${q.remark}.`),
    ],
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
    notes: [
      'Solved: proven optimal or proven infeasible, of all units that were applicable. PARk: geometric mean with shift 1 s of wall ' +
        'times in which an unsolved unit costs k times its limit. Solved by all: the same mean over the n units that every method ' +
        'of the algorithm solved. First value: the median time to it, where half of the units had one. Gap at limit: of ' +
        'the units that were not solved, the mean of |value − bound| / max(|value|, |bound|), 1 where one of them is missing.',
    ],
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
    notes: [
      'Metrics of whole runs over their repetitions; intervals by bootstrap. They are never divided by an optimum.',
      ...(list[0]?.fixed ? [`Parameters of all: ${list[0].fixed}.`] : []),
    ],
  };
}
