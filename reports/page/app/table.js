// Tables that the report wrote: heads sort, columns that few readers need wait, rows of hidden algorithms are left out.

/** The number that a cell begins with, in seconds where it is a time; NaN: none. */
function valueOf(text) {
  if (text.startsWith('∞')) return Infinity;
  const m = /^[<[]?\s*([-−]?[\d.,]+(?:e[+-]?\d+)?)(?:\s*(µs|ms|s)\b)?/.exec(text);
  if (!m) return NaN;
  return Number(m[1].replaceAll(',', '').replace('−', '-')) * ({ µs: 1e-6, ms: 1e-3 }[m[2]] ?? 1);
}

/** A cell of a CSV file (RFC 4180); text that a spreadsheet would take for a formula gets a mark in front. */
function csvCell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const titleOf = (table) => table.caption.firstChild.textContent.trim();
const rowsOf = (table) => [...table.tBodies[0].rows];
const textsOf = (row) => [...row.cells].map((c) => c.textContent);
const headsOf = (table) => [...table.tHead.rows[0].cells];

/** Sorts by a column; what is apart stays behind the others. */
function sortTable(table, i) {
  const head = headsOf(table)[i];
  const way = head.ariaSort === 'ascending' ? -1 : 1;
  const rows = rowsOf(table).map((row) => ({ row, text: row.cells[i].textContent, value: valueOf(row.cells[i].textContent) }));
  const numeric = !head.classList.contains('t') && rows.some((r) => !Number.isNaN(r.value));
  rows.sort((a, b) => {
    const apart = a.row.classList.contains('apart') - b.row.classList.contains('apart');
    if (apart) return apart;
    if (!numeric) return way * a.text.localeCompare(b.text, 'en', { numeric: true });
    if (Number.isNaN(a.value) || Number.isNaN(b.value)) return Number.isNaN(a.value) - Number.isNaN(b.value);
    return a.value === b.value ? 0 : way * (a.value - b.value);
  });
  table.tBodies[0].append(...rows.map((r) => r.row));
  for (const th of headsOf(table)) th.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', way > 0 ? 'ascending' : 'descending');
  announce(`${titleOf(table)}: sorted by ${head.textContent}, ${way > 0 ? 'ascending' : 'descending'}`);
}

/** Gives a table its buttons. */
function enliven(table) {
  const box = table.parentElement;
  const title = titleOf(table);
  headsOf(table).forEach((th, i) => {
    const button = el('button', { type: 'button', class: 'sort', onclick: () => sortTable(table, i) });
    button.append(...th.childNodes);
    th.append(button);
  });
  for (const [name, value] of Object.entries({ tabindex: 0, role: 'region', 'aria-label': title })) box.setAttribute(name, value);
  const toggle = (e) => {
    e.target.setAttribute('aria-pressed', box.classList.toggle('all'));
    fitTable(table);
  };
  const columns = el('button', { type: 'button', 'aria-pressed': 'false', onclick: toggle }, 'All columns');
  const download = () => {
    const lines = [headsOf(table), ...rowsOf(table).filter((r) => !r.hidden).map((r) => [...r.cells])];
    save(lines.map((cells) => cells.map((c) => csvCell(c.textContent)).join(',') + '\r\n').join(''), 'text/csv', `${plainName(title)}.csv`);
  };
  box.after(el('div', { class: 'table-bar' }, columns, el('button', { type: 'button', 'aria-label': `Download as CSV: ${title}`, onclick: download }, 'CSV')));
}

/** On a phone a table has the columns that fit; the others come with the button for all columns. */
function fitTable(table) {
  const box = table.parentElement;
  const cells = [...table.rows].map((row) => [...row.cells]);
  const hide = (i, off) => cells.forEach((row) => row[i]?.classList.toggle('off', off));
  const columns = cells[0].map((_, i) => i);
  for (const i of columns) hide(i, false);
  const visible = () => columns.filter((i) => cells[0][i].checkVisibility());
  const narrow = matchMedia('(max-width: 640px)').matches && !box.classList.contains('all');
  table.style.setProperty('--columns', Math.max(1, visible().length - 1));
  while (narrow && box.clientWidth > 0 && box.scrollWidth > box.clientWidth && visible().length > 2) {
    hide(visible().at(-1), true);
    table.style.setProperty('--columns', visible().length - 1);
  }
  const button = box.nextElementSibling?.querySelector('[aria-pressed]');
  if (button) button.hidden = !cells[0].some((c) => c.matches('.low, .off')) && !box.classList.contains('all');
}

/** Shows the rows of one part, or of all for an empty one, without hidden algorithms. */
function showRows(table, part, hidden) {
  const heads = headsOf(table).map((th) => th.textContent);
  const names = heads.flatMap((h, i) => (['algorithm', 'policy', 'A', 'B'].includes(h) ? [i] : []));
  for (const row of rowsOf(table)) {
    row.hidden = names.some((i) => hidden.has(row.cells[i].textContent)) || Boolean(part && table.dataset.by && row.cells[0].textContent !== part);
  }
}

/** A table of the page's own making. */
function newTable(title, heads, texts, rows) {
  const cell = (c, i) => el('td', { class: i < texts ? 't' : null }, c);
  return el('div', { class: 'table' }, el('table', {}, el('caption', {}, title),
    el('thead', {}, el('tr', {}, ...heads.map((h, i) => el('th', { scope: 'col', class: i < texts ? 't' : null }, h)))),
    el('tbody', {}, ...rows.map((r) => el('tr', {}, ...r.map(cell))))));
}
