// What is shown, as the address says it after #, so that a view can be cited and the back button works.

/** Filters by words: the key in the address, the label, the words that a problem's units have, and the word of a unit. */
export const filters = [
  {
    key: 'algorithm',
    label: 'Algorithm',
    words: (p) => p.variants.map((v) => v.algorithm),
    of: (p, u) => p.variants[p.col.variant[u]].algorithm,
  },
  {
    key: 'source',
    label: 'Source',
    words: (p) => p.words.source,
    of: (p, u) => p.words.source[p.col.source[p.col.instance[u]]],
  },
  { key: 'suite', label: 'Suite', words: (p) => p.words.suite, of: (p, u) => p.words.suite[p.col.suite[u]] },
  {
    key: 'metric',
    label: 'Metric',
    words: (p) => p.words.metric,
    of: (p, u) => p.words.metric[p.col.metric[p.col.instance[u]]],
  },
  {
    key: 'factors',
    label: 'Factors',
    words: (p) => p.words.stratum,
    of: (p, u) => p.words.stratum[p.col.stratum[p.col.instance[u]]],
  },
  { key: 'solver', label: 'Solver', words: (p) => p.words.solver, of: (p, u) => p.words.solver[p.col.solver[u]] },
  { key: 'status', label: 'Status', words: (p) => p.words.status, of: (p, u) => p.words.status[p.col.status[u]] },
];

/** How the address writes the empty word. */
export const none = '(none)';

const options = { par: '2', x: '', profile: 'optimum', list: '', against: '', of: '', at: '' };

/**
 * @typedef {Object} State
 * @property {string} problem
 * @property {string} view a reference, with -regret behind it for regrets
 * @property {Record<string, string[]>} words chosen, by filter; empty: all
 * @property {number} min fewest jobs
 * @property {number} max most jobs
 * @property {string} par penalty factor of unsolved units
 * @property {string} x feature on the horizontal axis; empty: the first that varies
 * @property {string} profile what profiles are relative to: optimum or best
 * @property {string} against the algorithm that others are compared with head to head; empty: the best, all: each with each
 * @property {string} list the algorithm whose instances are listed
 * @property {string} open the instance whose details are open, by hash
 * @property {string} of the algorithm through which they were opened
 * @property {string} at the section to go to
 */

/** The problems with results, and behind them those that were only simulated. */
export const namesOf = (data) => [...new Set([...data.problems, ...data.simulations.map((s) => ({ name: s.problem }))].map((p) => p.name))];

/** What is shown of a problem when nothing is chosen. */
export const fresh = (name) => ({
  problem: name,
  view: '',
  words: Object.fromEntries(filters.map((f) => [f.key, []])),
  min: 0,
  max: Infinity,
  open: '',
  ...options,
});

export const viewName = (v) => v.reference + (v.difference ? '-regret' : '');

/**
 * @param {string} hash
 * @returns {State} with a problem and a view that exist; no problem is the overview of several
 */
export function parse(hash, data) {
  const q = new URLSearchParams(hash.replace(/^#/, ''));
  const names = namesOf(data);
  const asked = names.find((n) => n === q.get('problem'));
  // An address without a problem but with anything else is about the first.
  const name = asked ?? (names.length === 1 || [...q.keys()].some((k) => k !== 'at' && hash.includes('=')) ? names[0] : '');
  const problem = data.problems.find((p) => p.name === name);
  const view = problem && (problem.views.find((v) => viewName(v) === q.get('view')) ?? problem.views[0]);
  const bound = (key, otherwise) => (/^\d+$/.test(q.get(key) ?? '') ? Number(q.get(key)) : otherwise);
  const s = {
    problem: name,
    view: view ? viewName(view) : '',
    words: {},
    min: bound('min', 0),
    max: bound('max', Infinity),
    open: q.get('open') ?? '',
  };
  for (const f of filters) s.words[f.key] = q.getAll(f.key);
  for (const [key, otherwise] of Object.entries(options)) s[key] = q.get(key) ?? otherwise;
  return s;
}

/** @param {State} s */
export function format(s, data) {
  const q = new URLSearchParams();
  const problem = data.problems.find((p) => p.name === s.problem);
  if (s.problem && namesOf(data).length > 1) q.set('problem', s.problem);
  if (problem && s.view && s.view !== viewName(problem.views[0])) q.set('view', s.view);
  for (const f of filters) for (const w of s.words[f.key]) q.append(f.key, w);
  if (s.min > 0) q.set('min', s.min);
  if (s.max < Infinity) q.set('max', s.max);
  for (const [key, otherwise] of Object.entries(options)) if (s[key] !== otherwise) q.set(key, s[key]);
  if (s.open) q.set('open', s.open);
  return `#${q}`;
}

/** Whether anything is filtered out. */
export const filtered = (s) => s.min > 0 || s.max < Infinity || filters.some((f) => s.words[f.key].length > 0);

/** The filters in words, for captions. */
export function describe(s) {
  const parts = filters
    .filter((f) => s.words[f.key].length)
    .map((f) => `${f.label.toLowerCase()} ${s.words[f.key].join(' or ')}`);
  if (s.min > 0) parts.push(`at least ${s.min} jobs`);
  if (s.max < Infinity) parts.push(`at most ${s.max} jobs`);
  return parts.length ? `Filter: ${parts.join(', ')}.` : 'No filter.';
}

/** The units that the filters let through. */
export function maskOf(p, s) {
  const mask = new Uint8Array(p.units).fill(1);
  for (const f of filters) {
    const chosen = new Set(s.words[f.key].map((w) => (w === none ? '' : w)));
    if (chosen.size === 0) continue;
    for (let u = 0; u < p.units; u++) if (mask[u] && !chosen.has(f.of(p, u))) mask[u] = 0;
  }
  if (s.min > 0 || s.max < Infinity) {
    for (let u = 0; u < p.units; u++) {
      const n = p.col.n_jobs[p.col.instance[u]];
      if (!(n >= s.min && n <= s.max)) mask[u] = 0;
    }
  }
  return mask;
}
