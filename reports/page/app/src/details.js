// Everything about one instance: what is known of it, its units with their commands, and drawings.

import { el, announce, choice } from './dom.js';
import { dash, percentage, secs, value } from './format.js';
import { apart, far, row, within } from './ratio.js';
import { command, word } from './data.js';
import { compare } from './gantt.js';
import { table } from './table.js';

async function copy(text, source, what = 'command') {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // not allowed for this page; the old way needs a selection
    getSelection().selectAllChildren(source);
    document.execCommand('copy');
  }
  announce(`The ${what} is copied.`);
}

const range = (lo, hi) => (Number.isNaN(hi) && !Number.isNaN(lo) ? `${percentage(lo)} or more` : percentage(lo, hi));

function units(p, view, i, algorithm) {
  const list = [];
  for (let u = p.first[i]; u < p.first[i + 1]; u++) list.push(u);
  const opened = (u) => p.variants[p.col.variant[u]].algorithm === algorithm;
  list.sort((a, b) => opened(b) - opened(a) || a - b);
  return table({
    title: 'Units',
    text: 3,
    head: [
      'algorithm',
      'method',
      'status',
      'seed',
      'objective',
      'bound',
      apart(p, view),
      'time',
      'to run it again',
      'error',
    ],
    rows: list.map((u) => {
      const v = p.variants[p.col.variant[u]];
      const r = row(p, view, u);
      const code = el('code', {}, command(p, u));
      const error = word(p, 'error', u);
      return {
        apart: Boolean(v.mark),
        cells: [
          v.algorithm,
          [word(p, 'model', u), word(p, 'solver', u)].filter(Boolean).join('/') || dash,
          word(p, 'status', u),
          String(p.col.seed[u]),
          value(p.col.value[u]),
          value(p.col.bound[u]),
          r.undefined ? 'undefined' : range(far(p, view, r.lo), far(p, view, r.hi)),
          secs(p.col.seconds[u]),
          el(
            'div',
            { class: 'command' },
            code,
            ' ',
            el(
              'button',
              {
                type: 'button',
                'aria-label': `Copy the command of ${v.algorithm}`,
                onclick: () => copy(code.textContent, code),
              },
              'Copy',
            ),
          ),
          error ? el('pre', { class: 'error' }, error) : dash,
        ],
      };
    }),
    notes: [
      `Commands are for the results' directory. ${view.difference ? 'Regret' : 'Ratio'} to ${view.reference}.`,
    ],
  });
}

function known(p, i) {
  return table({
    title: 'What is known of the optimum',
    text: 1,
    head: ['reference', 'best value', 'best bound', 'proven'],
    rows: p.references.map((r) => ({
      cells: [
        r.name,
        value(p.col[`value:${r.name}`][i]),
        value(p.col[`bound:${r.name}`][i]),
        p.col[`proven:${r.name}`][i] ? 'yes' : 'no',
      ],
    })),
  });
}

/** A hash as far as a reader can compare it, with a button that copies all of it. */
function shortHash(sha, links) {
  const code = el('code', { title: sha }, `${sha.slice(0, 12)}…`);
  const button = el('button', { type: 'button', 'aria-label': 'Copy the hash of the instance', onclick: () => copy(sha, code, 'hash') }, 'Copy');
  return el('span', {}, links ? el('a', { href: `${links}/${sha}.json` }, code) : code, ' ', button);
}

function drawings(p, view, i, wanted) {
  const charts = p.charts.filter((c) => p.col.instance[c.unit] === i);
  if (charts.length === 0) {
    return el(
      'p',
      { class: 'note' },
      'No solution of this instance is drawn here: drawings are for small solutions that were kept, up to a limit for ' +
        'the page. The commands below make them.',
    );
  }
  const name = (c) =>
    `${p.variants[p.col.variant[c.unit]].algorithm}, seed ${p.col.seed[c.unit]}: objective ${value(p.col.value[c.unit])}`;
  const best = p.col[`value:${view.reference}`][i];
  const exact = charts.filter((c) => p.variants[p.col.variant[c.unit]].kind === 'exact');
  const reference = exact.find((c) => p.col.value[c.unit] === best) ?? exact[0];
  const others = charts.filter((c) => c !== reference);
  const far =
    others.find((c) => p.variants[p.col.variant[c.unit]].algorithm === wanted) ??
    others.reduce((a, b) => (!a || row(p, view, b.unit).hi > row(p, view, a.unit).hi ? b : a), null);
  const area = el('div');
  const draw = (c) =>
    area.replaceChildren(
      compare([...(c ? [c] : []), ...(reference ? [reference] : [])].map((d) => ({ title: name(d), chart: d }))),
    );
  draw(far);
  const select =
    far &&
    choice(
      'Compare',
      others.map((c) => ({ value: String(c.unit), label: name(c) })),
      String(far.unit),
      (unit) => draw(others.find((c) => String(c.unit) === unit)),
    );
  return el('div', {}, select, area);
}

/** The contents of the panel on instance i, opened through an algorithm or through none. */
export function details(p, wanted, i, links, algorithm) {
  const view = within(p, wanted, i) ? wanted : p.views.find((v) => within(p, v, i));
  const sha = p.hashes[i];
  const facts = [
    ['SHA-256', shortHash(sha, links)],
    ['source', word(p, 'source', i)],
    ['jobs', Number.isNaN(p.col.n_jobs[i]) ? dash : String(p.col.n_jobs[i])],
    ...p.features.map((f) => {
      const x = p.col[`feature:${f.name}`][i];
      return [f.label, f.words ? f.words[x] || dash : f.share && Number.isFinite(x) ? `${value(100 * x)} %` : value(x)];
    }),
  ];
  const trouble = word(p, 'trouble', i);
  return [
    trouble && el('p', { class: 'alarm' }, `This instance has no ratios: ${trouble}.`),
    el('dl', {}, ...facts.flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)])),
    el('h3', {}, 'Solutions'),
    drawings(p, view, i, algorithm),
    known(p, i),
    units(p, view, i, algorithm),
  ].filter(Boolean);
}
