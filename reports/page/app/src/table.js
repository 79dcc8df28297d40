// Tables whose heads sort, with what is best marked and a download.

import { announce, el } from './dom.js';
import { saveCSV } from './download.js';

/**
 * What a cell is sorted by, shows and is written as: a text, or {text, value, node}.
 * @typedef {string|Node|{text: string, value?: number, node?: Node}} Cell
 */
const textOf = (c) => (typeof c === 'string' ? c : c instanceof Node ? c.textContent : c.text);
const nodeOf = (c) => (typeof c === 'string' || c instanceof Node ? c : (c.node ?? c.text));

/** The number that a cell begins with, in seconds where it is a time; NaN: none. */
function valueOf(c) {
  if (typeof c === 'object' && !(c instanceof Node) && 'value' in c) return c.value;
  const m = /^[<[]?\s*([-−]?[\d.,]+(?:e[+-]?\d+)?)(?:\s*(µs|ms|s)\b)?/.exec(textOf(c));
  if (!m) return NaN;
  return Number(m[1].replaceAll(',', '').replace('−', '-')) * ({ µs: 1e-6, ms: 1e-3 }[m[2]] ?? 1);
}

/** Digits behind the point of the last number in a cell that is nothing but numbers. */
const decimals = (text) => /^[\d.\s…[\],<-]+$/.test(text) && (/\.(\d+)\]?$/.exec(text)?.[1].length ?? (/\d$/.test(text) ? -1 : NaN));

/**
 * A table; t.text: so many columns are words. Heads sort. t.best: the columns, by head, in which the rows that are best
 * are marked. t.low: columns that are shown when they are asked for.
 * @param {{title: string, head: string[], text: number, rows: {cells: Cell[], apart?: boolean, best?: boolean}[],
 *   notes?: string[], best?: string[], low?: string[]}} t
 */
export function table(t) {
  if (t.rows.length === 0) return el('p', { class: 'note' }, `${t.title}: nothing is selected.`);
  const low = t.head.map((h) => Boolean(t.low?.includes(h)));
  const pads = t.head.map((_, i) => Math.max(-1, ...t.rows.map((r) => decimals(textOf(r.cells[i]))).filter(Number.isFinite)));
  const cell = (r, c, i) => {
    const text = textOf(c);
    const node = c instanceof Node;
    const classes = [
      i < t.text ? 't' : node ? '' : text.includes('…') ? 'i' : text.length > 24 ? 'n' : '',
      low[i] && 'low',
      r.best && t.best?.includes(t.head[i]) && 'best',
    ].filter(Boolean);
    const missing = i >= t.text && !node ? pads[i] - decimals(text) : 0;
    // as many digits as others have more, and a point, so that points stand below each other
    const pad = missing > 0 && pads[i] > 0 ? (decimals(text) < 0 ? '.' : '') + '0'.repeat(Math.min(missing - (decimals(text) < 0 ? 1 : 0), 9)) : null;
    return el('td', { class: classes.join(' ') || null, 'data-pad': pad, title: classes.includes('best') ? 'the best, or not certainly worse' : null }, nodeOf(c));
  };
  const line = (r) => el('tr', { class: r.apart ? 'apart' : null }, ...r.cells.map((c, i) => cell(r, c, i)));
  const body = el('tbody', {}, ...t.rows.map(line));
  let sorted = -1;
  let way = 1;
  const heads = t.head.map((h, i) => {
    const th = el(
      'th',
      { scope: 'col', class: [i < t.text && 't', low[i] && 'low'].filter(Boolean).join(' ') || null },
      el('button', { type: 'button', class: 'sort', onclick: () => sort(i) }, h),
    );
    return th;
  });
  function sort(i) {
    way = sorted === i ? -way : 1;
    sorted = i;
    const key = t.rows.map((r) => valueOf(r.cells[i]));
    const numeric = i >= t.text && key.some(Number.isFinite);
    const order = [...t.rows.keys()].sort((a, b) => {
      const [x, y] = [t.rows[a], t.rows[b]];
      if (Boolean(x.apart) !== Boolean(y.apart)) return x.apart ? 1 : -1;
      if (!numeric) return way * textOf(x.cells[i]).localeCompare(textOf(y.cells[i]), 'en', { numeric: true });
      if (Number.isNaN(key[a]) || Number.isNaN(key[b])) return Number.isNaN(key[a]) - Number.isNaN(key[b]);
      return way * (key[a] - key[b]);
    });
    body.replaceChildren(...order.map((k) => line(t.rows[k])));
    heads.forEach((th, k) => (k === i ? th.setAttribute('aria-sort', way > 0 ? 'ascending' : 'descending') : th.removeAttribute('aria-sort')));
    announce(`${t.title}: sorted by ${t.head[i]}, ${way > 0 ? 'ascending' : 'descending'}`);
  }
  const inner = el(
    'div',
    { class: 'table', tabindex: 0, role: 'region', 'aria-label': t.title },
    el('table', {}, el('caption', {}, t.title), el('thead', {}, el('tr', {}, ...heads)), body),
  );
  const all =
    low.some(Boolean) &&
    el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => all.setAttribute('aria-pressed', String(inner.classList.toggle('all'))) }, 'All columns');
  return el(
    'div',
    { class: 'tabular' },
    inner,
    el(
      'div',
      { class: 'table-bar' },
      all,
      el('button', { type: 'button', 'aria-label': `Download as CSV: ${t.title}`, onclick: () => saveCSV(t.title, [t.head, ...t.rows.map((r) => r.cells.map(textOf))]) }, 'CSV'),
    ),
    notes(t.notes ?? []),
  );
}

/** Notes to a table: folded when they are long. */
function notes(list) {
  if (list.length === 0) return null;
  const paragraphs = list.map((n) => el('p', { class: 'note' }, n));
  return list.join('').length < 160 ? el('div', {}, ...paragraphs) : el('details', { class: 'notes' }, el('summary', {}, 'What the columns mean'), ...paragraphs);
}
