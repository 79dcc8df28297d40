// The interactive part of the report: it shows and hides what the report has, and computes nothing. What is shown stands in the
// address.

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).json();
}

const data = await unpack(document.getElementById('data').textContent);
const names = [...new Set(all('#report > [data-problem]').map((e) => e.dataset.problem))];
const problemOf = (name) => data.problems.find((p) => p.name === name);
const blank = { problem: '', view: '', part: '', hide: [], open: '', of: '' };
let state = blank;

const parse = (hash) => {
  const q = new URLSearchParams(hash.slice(1));
  return { ...blank, ...Object.fromEntries(q), hide: q.getAll('hide') };
};
const format = (s) => {
  const q = new URLSearchParams();
  for (const [key, value] of Object.entries(s)) for (const v of [value].flat()) if (v) q.append(key, v);
  return `#${q}`;
};
const go = (change) => (location.hash = format({ ...state, ...change }));

const bar = el('div', { id: 'bar' });
const dialog = el('dialog', { id: 'details', 'aria-labelledby': 'details-title' });
dialog.addEventListener('close', () => state.open && go({ open: '', of: '' }));
dialog.addEventListener('click', (e) => e.target === dialog && dialog.close());
const redraws = []; // of strips

/** The parts of a view: what tables are by, and for each its values. */
function partsOf(view) {
  const out = [];
  for (const table of all('table[data-by]', view)) {
    const by = table.dataset.by;
    out.push([by, by === 'all' ? 'all' : `each ${by}`]);
    if (by !== 'all') for (const name of new Set(rowsOf(table).map((r) => r.cells[0].textContent))) out.push([`${by}:${name}`, `${by} ${name}`]);
  }
  return out;
}

const quoteArgument = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
const globOf = (name) => name.replace(/[\\*?[,]/g, '\\$&');

/** The command of a report about what is looked at; empty: that is this one. */
function commandOf(part, shown, total) {
  const value = part.includes(':') ? part.slice(part.indexOf(':') + 1) : '';
  const flags = [];
  if (value) flags.push(`--family ${quoteArgument(globOf(value))}`);
  if (shown.length < total) flags.push(`-a ${quoteArgument([...new Set(shown.map((s) => s.replace(/ \(.*|\*$/, '')))].map(globOf).join(','))}`);
  return flags.length ? `schedgap report . ${flags.join(' ')} -o part` : '';
}

function controls(problem, views, view, parts) {
  const tabs = names.length > 1 && el('nav', { 'aria-label': 'Problems', class: 'tabs' },
    el('a', { href: '#', 'aria-current': state.problem ? null : 'page' }, 'Overview'),
    ...names.map((n) => el('a', { href: format({ ...blank, problem: n }), 'aria-current': n === problem ? 'page' : null }, n)));
  const sections = all('#report > :not([hidden]) h2[id]').filter((h) => !h.closest('[hidden]'));
  const nav = problem && el('nav', { 'aria-label': 'Sections' }, ...sections.map((h) => el('a', { href: `#${h.id}` }, h.dataset.short ?? h.textContent)));
  const labels = problemOf(problem)?.algorithms ?? [];
  const toggle = (label, show) => go({ hide: show ? state.hide.filter((h) => h !== label) : [...state.hide, label] });
  const wasOpen = bar.querySelector('details')?.open;
  const algorithms = labels.length > 1 && el('details', { class: 'filter', open: wasOpen },
    el('summary', {}, `Algorithms: ${state.hide.length ? `${labels.length - state.hide.length} of ${labels.length}` : 'all'}`),
    el('fieldset', {}, el('legend', { class: 'visually-hidden' }, 'Algorithms'),
      ...labels.map((l) => el('label', {}, el('input', { type: 'checkbox', value: l, checked: !state.hide.includes(l), onchange: (e) => toggle(l, e.target.checked) }), ` ${l}`))));
  const command = problem && commandOf(state.part, labels.filter((l) => !state.hide.includes(l)), labels.length);
  const code = el('code', {}, command || '');
  bar.replaceChildren(
    el('div', { class: 'line' }, tabs || nav || '', theme()),
    tabs && nav ? nav : '',
    problem ? el('div', { class: 'line filters' },
      views.length > 1 && choice('Compared with', views.map((v) => [v.dataset.view, v.dataset.title]), view?.dataset.view, (v) => go({ view: v, part: '' })),
      parts.length > 1 && choice('Instances', parts, state.part || parts[0][0], (part) => go({ part })),
      algorithms) : '',
    command ? el('p', { class: 'note part' }, 'A report about this part: ', code, ' ', copier(code, 'command of this part')) : '',
  );
}

/** Shows what the address asks for. */
function show() {
  const anchor = location.hash.includes('=') ? '' : decodeURIComponent(location.hash.slice(1));
  const target = anchor && document.getElementById(anchor);
  if (target) state = { ...state, problem: target.closest('[data-problem]')?.dataset.problem ?? state.problem };
  else state = parse(location.hash);
  const problem = names.includes(state.problem) ? state.problem : names.length === 1 ? names[0] : '';
  for (const e of all('[data-problem]:not([data-problem=""])')) e.hidden = problem ? e.dataset.problem !== problem : Boolean(e.closest('#report')) && !e.querySelector('.lead');
  document.documentElement.classList.toggle('overview', !problem);
  const views = all(`section[data-view]`).filter((v) => v.dataset.problem === problem);
  let view = views.find((v) => v.dataset.view === state.view) ?? views[0];
  if (target && views.includes(target.closest('section[data-view]'))) view = target.closest('section[data-view]');
  for (const v of views) v.hidden = v !== view;
  const parts = view ? partsOf(view) : [];
  if (!parts.some(([value]) => value === state.part)) state.part = '';
  const chosen = state.part || parts[0]?.[0] || 'all';
  const [by, part] = chosen.includes(':') ? [chosen.slice(0, chosen.indexOf(':')), chosen.slice(chosen.indexOf(':') + 1)] : [chosen, ''];
  const hidden = new Set(state.hide);
  const inView = (e) => !e.dataset.view || e.dataset.view === view?.dataset.view;
  const inPart = (e, by) => inView(e) && (!e.dataset.by || e.dataset.by === by) && (!part || !e.dataset.part || e.dataset.part === part);
  const parted = all('.problem figure[data-by], .problem .tabular[data-by]').filter((f) => f.closest('[data-problem]').dataset.problem === problem);
  // figures of all instances are by objective where there are several
  const drawn = parted.some((f) => f.matches('figure') && inView(f) && f.dataset.by === by) ? by : 'objective';
  for (const f of parted) f.hidden = !inPart(f, f.matches('figure') ? drawn : by);
  for (const t of all('#report table')) showRows(t, part, hidden);
  for (const d of all('details.figures-of')) d.hidden = all('figure', d).every((f) => f.hidden);
  controls(problem, views, view, parts);
  for (const redraw of redraws) redraw();
  fitTables();
  panel(problem);
  if (target) {
    for (let d = target.closest('details'); d; d = d.parentElement.closest('details')) d.open = true;
    target.scrollIntoView();
  }
  document.body.dataset.shown = location.hash || '#';
}

const fitTables = () => all('#report table').filter((t) => t.checkVisibility()).forEach(fitTable);

function panel(problem) {
  const p = data.problems.find((q) => (!problem || q.name === problem) && q.hashes.includes(state.open));
  if (!p) return void (dialog.open && dialog.close());
  const i = p.hashes.indexOf(state.open);
  dialog.replaceChildren(
    el('div', { class: 'line' }, el('h2', { id: 'details-title', tabindex: -1 }, p.instances[i]), el('button', { type: 'button', onclick: () => dialog.close() }, 'Close')),
    ...details(p, i, data.links, state.of));
  if (!dialog.open) dialog.showModal();
}

document.getElementById('first').append(bar);
document.body.append(live, dialog);
for (const t of all('#report table')) enliven(t);
for (const box of all('.notes')) if (box.textContent.length > 160) {
  const folded = el('details', { class: 'notes' }, el('summary', {}, 'What the columns mean'));
  folded.append(...box.childNodes);
  box.replaceWith(folded);
}
for (const a of all('[data-open]')) {
  const open = (e) => (e.preventDefault(), go({ open: a.dataset.open }));
  a.addEventListener('click', open);
}
for (const p of data.problems) {
  for (const [name, strip] of Object.entries(p.strips)) {
    const figure = document.getElementById(`fig-${name}`);
    const open = (i, label) => go({ problem: p.name, open: p.hashes[i], of: label });
    redraws.push(drawStrip(figure, strip, () => new Set(state.hide), open, (i) => p.instances[i]));
  }
}
for (const b of all('.headlines b')) if (names.length > 1) b.replaceChildren(el('a', { href: format({ ...blank, problem: b.textContent }) }, b.textContent));
addEventListener('click', (e) => all('details.filter[open]').forEach((d) => d.contains(e.target) || (d.open = false)));
addEventListener('keydown', (e) => e.key === 'Escape' && all('details.filter[open]').forEach((d) => (d.open = false)));
addEventListener('hashchange', show);
addEventListener('resize', fitTables);
document.addEventListener('toggle', fitTables, true); // of details
show();
