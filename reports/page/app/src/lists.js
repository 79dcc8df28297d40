// Lists that lead to instances: the units that failed, and the instances of an algorithm.

import { word } from './data.js';
import { choice, el } from './dom.js';
import { many, percentage, secs, share, value } from './format.js';
import { apart, distance, far, row } from './ratio.js';
import * as summary from './summary.js';
import * as tables from './tables.js';
import { table } from './table.js';

/** Units that ended without what was asked of them. */
function failures(p, mask) {
  const list = [];
  for (let u = 0; u < p.units; u++) {
    if (mask[u] && !['optimal', 'feasible', 'skipped'].includes(word(p, 'status', u))) list.push(u);
  }
  return list;
}

/** How many of the solutions that were handed in are what they claim. */
function claims(outcomes) {
  const right = outcomes.reduce((n, o) => n + o.solutions, 0);
  const wrong = outcomes.reduce((n, o) => n + (o.statuses.invalid ?? 0), 0);
  return right + wrong ? ` Of the solutions handed in, the checker accepted ${share(right, right + wrong)}.` : '';
}

/** A list of which some lines are shown at a time. */
function paged(title, head, text, low, list, cells) {
  const area = el('div');
  let n = 50;
  const show = () => {
    const rows = list.slice(0, n).map((x) => ({ cells: cells(x) }));
    area.replaceChildren(
      table({
        title: `${title}, ${n < list.length ? `the first ${n} of ${many(list.length)}` : `all ${list.length}`}`,
        head,
        text,
        low,
        rows,
      }),
    );
    if (n < list.length)
      area.append(el('button', { type: 'button', onclick: () => ((n += 50), show()) }, 'Show 50 more'));
  };
  show();
  return area;
}

/**
 * What was not solved.
 * @param {number[]} chosen the instances with a selected unit
 * @param {(unit: number, text: string) => Node} button leads to an instance
 */
export function trouble(area, data, p, mask, chosen, button) {
  const list = failures(p, mask);
  const unknown = summary.references(p, chosen)[0];
  const outcomes = summary.outcomes(p, mask);
  area.replaceChildren(
    el(
      'p',
      {},
      data.contradictions.length
        ? el('a', { href: '#contradictions' }, `${data.contradictions.length} contradictions`)
        : 'No value contradicts a proven bound.',
    ),
    el(
      'p',
      {},
      `${many(list.length)} of the selected units ended without what was asked of them. The optimum of ` +
        `${unknown.name} is not proven on ${many(chosen.length - unknown.proven)} of ${many(chosen.length)} instances.` +
        claims(outcomes),
    ),
    table(tables.outcomes(outcomes)),
    table(tables.references(summary.references(p, chosen))),
  );
  if (list.length === 0) return;
  area.append(
    paged('Units that failed', ['algorithm', 'status', 'instance', 'seed', 'time', 'error'], 3, [], list, (u) => [
      p.variants[p.col.variant[u]].algorithm,
      word(p, 'status', u),
      button(u, p.instances[p.col.instance[u]]),
      String(p.col.seed[u]),
      secs(p.col.seconds[u]),
      el('span', { class: 'error' }, word(p, 'error', u).slice(0, 200)),
    ]),
  );
}

/** The instances of one algorithm, the wanted one or the first, furthest from the optimum first. */
export function instanceList(area, p, view, chosen, wanted, go, button) {
  const some = [...p.variants.keys()].filter(
    (k) => p.variants[k].kind !== 'exact' && chosen.cells[k].some((c) => c.worst >= 0),
  );
  const chose = some.find((k) => p.variants[k].algorithm === wanted) ?? some[0];
  area.replaceChildren();
  if (chose === undefined) return void area.append(el('p', { class: 'note' }, 'Nothing is selected.'));
  const list = chosen.cells[chose].filter((c) => c.worst >= 0).sort((a, b) => distance(b) - distance(a));
  area.append(
    choice(
      'Algorithm',
      some.map((k) => p.variants[k].algorithm),
      p.variants[chose].algorithm,
      (a) => go({ list: a }),
    ),
    paged(
      `${p.variants[chose].algorithm}, furthest from ${view.reference} first`,
      [
        'instance',
        'jobs',
        'metric',
        'source',
        'objective',
        'best value',
        'best bound',
        apart(p, view),
        'time',
      ],
      1,
      ['metric', 'source', 'best bound', 'time'],
      list,
      (c) => {
        const r = row(p, view, c.worst);
        return [
          button(c.worst, p.instances[c.instance]),
          value(p.col.n_jobs[c.instance]),
          word(p, 'metric', c.instance),
          word(p, 'source', c.instance),
          value(p.col.value[c.worst]),
          value(view.value[c.instance]),
          value(view.bound[c.instance]),
          r.undefined ? 'undefined' : percentage(far(p, view, r.lo), far(p, view, r.hi)),
          secs(p.col.seconds[c.worst]),
        ];
      },
    ),
  );
}
