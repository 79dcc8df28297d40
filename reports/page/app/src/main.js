// The interactive part of the report page: reads the data in it, keeps the state in the address, and recomputes every table
// and plot from the units that the filters let through.

import './app.css';
import { controls, refresh } from './controls.js';
import { unpack } from './data.js';
import { announce, choice, el } from './dom.js';
import { details } from './details.js';
import * as figures from './figures.js';
import { many, value } from './format.js';
import { instanceList, trouble } from './lists.js';
import { plot } from './plot.js';
import { contender, select } from './ratio.js';
import { picture, simulations } from './simulations.js';
import { describe, filtered, format, fresh, maskOf, namesOf, parse, viewName } from './state.js';
import { strip } from './strip.js';
import * as summary from './summary.js';
import * as tables from './tables.js';
import { theme } from './theme.js';
import { table } from './table.js';

const root = document.getElementById('app');
const narrow = matchMedia('(max-width: 640px)').matches;
const data = await unpack(document.getElementById('data').textContent);
const names = namesOf(data);
let state = parse(location.hash, data);
let problem; // that the controls are for
let plots = []; // on the page
let generation = 0; // of what is shown; work for an older one is dropped

const address = (change) => format({ ...state, ...change }, data);
const go = (change) => (location.hash = address({ at: '', ...change }));
const problemOf = (name) => data.problems.find((p) => p.name === name);

/** The static report's section on what units knew before their ends, which no filter changes; null: nothing is known. */
const overTime = (p) => document.getElementById(`${p.name}-over-time`);

/** A copy of a static section without its title, and without what must be there once only. */
function still(section) {
  if (!section) return [];
  const copy = section.cloneNode(true);
  for (const e of copy.querySelectorAll('[id]')) e.removeAttribute('id');
  for (const e of copy.querySelectorAll('.table')) {
    e.tabIndex = 0; // where it scrolls, keys can do so
    e.setAttribute('role', 'region');
    e.setAttribute('aria-label', e.querySelector('caption').textContent);
  }
  return [...copy.children].slice(1);
}

/** A link to the instance of a unit, which begins with the unit's algorithm. */
const instanceLink = (p) => (u, text) =>
  el('a', { href: address({ open: p.hashes[p.col.instance[u]], of: p.variants[p.col.variant[u]].algorithm, at: '' }) }, text);

// The skeleton, which stays; its parts are filled again whenever the state changes.

const parts = {};
const part = (name, ...children) => (parts[name] = el('div', { id: `live-${name}` }, ...children));
const count = el('p', { id: 'count', class: 'count' });
const whole = el('p', {}, 'Of all units, as in the static report: filters do not change this section.');
const dialog = el('dialog', { id: 'details', 'aria-labelledby': 'details-title' });
/** A section, which is folded at first where the screen is narrow. */
const section = (id, title, ...children) =>
  el(
    'section',
    { id: `view-${id}`, 'aria-labelledby': `title-${id}` },
    el(
      'details',
      { class: 'fold', open: id === 'ratios' || !narrow },
      el('summary', {}, el('h2', { id: `title-${id}`, tabindex: -1 }, title)),
      ...children,
    ),
  );

const sections = [
  ['ratios', 'Ratios'],
  ['plots', 'Plots'],
  ['over-time', 'Over time'],
  ['worst', 'Worst cases'],
  ['comparisons', 'Comparisons'],
  ['instances', 'Instances'],
  ['trouble', 'Not solved'],
  ['simulations', 'Simulations'],
];

function skeleton() {
  const everything = el(
    'button',
    {
      type: 'button',
      id: 'everything',
      'aria-pressed': 'false',
      onclick: () => {
        const shown = document.documentElement.classList.toggle('everything');
        everything.setAttribute('aria-pressed', String(shown));
        everything.textContent = shown ? 'Interactive report' : 'Static report';
      },
    },
    'Static report',
  );
  // The first screen: the picture behind the sentences. Its bar stays when the static report replaces the rest.
  const first = document.getElementById('first');
  first.append(
    el('div', { class: 'bar' }, part('nav'), el('span', { class: 'tools' }, everything, theme())),
  );
  root.append(
    part('overview'),
    part('filters'),
    count,
    section('ratios', 'Ratios', part('ratios'), part('classes')),
    section('plots', 'Plots', part('choices'), part('plots')),
    section('over-time', 'Over time', part('over-time')),
    section('worst', 'Worst cases', part('worst')),
    section('comparisons', 'Comparisons', part('comparisons')),
    section('instances', 'Instances', part('instances')),
    section('trouble', 'What was not solved, failed or contradicted', part('trouble')),
    section('simulations', 'Simulations', part('simulations')),
    el('p', { id: 'live', class: 'visually-hidden', role: 'status', 'aria-live': 'polite' }),
    dialog,
  );
  parts.plots.className = 'figures';
  // A click elsewhere closes a filter's list, and so does Escape, wherever the focus is.
  const close = (keep) => {
    for (const d of parts.filters.querySelectorAll('details.filter[open]')) {
      if (d.contains(keep)) continue;
      if (d.contains(document.activeElement)) d.firstChild.focus();
      d.open = false;
    }
  };
  addEventListener('click', (e) => close(e.target));
  addEventListener('keydown', (e) => e.key === 'Escape' && close(null));
  dialog.addEventListener('close', () => state.open && go({ open: '', of: '' }));
  dialog.addEventListener('click', (e) => e.target === dialog && dialog.close());
}

/** Points the first screen's links into the interactive part, and shows the sentence of the problem chosen. */
function first() {
  const header = document.getElementById('first');
  for (const li of header.querySelectorAll('.headlines li')) {
    const name = li.dataset.problem;
    li.hidden = Boolean(state.problem) && name !== state.problem;
    const b = li.querySelector('b');
    if (names.length > 1 && !b.firstElementChild) b.replaceChildren(el('a', { href: format(fresh(name), data) }, name));
  }
  for (const a of header.querySelectorAll('.notices a'))
    if (a.dataset.problem) a.href = format({ ...fresh(a.dataset.problem), at: 'trouble' }, data);
  const p = problemOf(state.problem);
  const simulated = data.simulations.some((s) => s.problem === state.problem);
  const here = sections.filter(([id]) => (id === 'simulations' ? simulated : id === 'worst' ? p?.worst : id === 'over-time' ? p && overTime(p) : p));
  for (const [id] of sections) document.getElementById(`view-${id}`).hidden = !here.some(([k]) => k === id);
  for (const name of ['filters', 'overview']) parts[name].hidden = !p && (name === 'filters' || Boolean(state.problem));
  count.hidden = !p;
  parts.nav.replaceChildren(
    ...(names.length > 1
      ? [
          el(
            'nav',
            { 'aria-label': 'Problems', class: 'tabs' },
            el('a', { href: '#', 'aria-current': state.problem ? null : 'page' }, 'Overview'),
            ...names.map((n) =>
              el('a', { href: format(fresh(n), data), 'aria-current': n === state.problem ? 'page' : null }, n),
            ),
          ),
        ]
      : []),
    here.length > 1 || p
      ? el('nav', { 'aria-label': 'Sections' }, ...here.map(([id, title]) => el('a', { href: address({ at: id, open: '' }) }, title)))
      : '',
  );
}

/** Puts new drawings in the place of old ones; each is drawn once it is in the document. */
function show(area, made) {
  area.replaceChildren(...made.map((x) => x.figure));
  for (const x of made) x.start();
  plots.push(...made);
}

const say = (p) => (u) => `${p.instances[p.col.instance[u]]}, objective ${value(p.col.value[u])}`;
const opener = (p) => (u) => go({ problem: p.name, open: p.hashes[p.col.instance[u]], of: p.variants[p.col.variant[u]].algorithm });
const drawn = (p, specs) =>
  specs.filter(Boolean).map((s) => plot({ ...s, caption: `${s.caption} ${describe(state)}` }, opener(p), say(p)));

function choices(p, view) {
  parts.choices.className = 'choices';
  parts.choices.replaceChildren(
    ...[
      !view.difference &&
        choice(
          'Profile relative to',
          [
            { value: 'optimum', label: 'the optimum' },
            { value: 'best', label: 'the best algorithm selected' },
          ],
          state.profile,
          (profile) => go({ profile }),
        ),
      choice(
        'Plot against',
        figures.features(p).map((x) => ({ value: x, label: figures.featureLabel(p, x) })),
        figures.axis(p, state.x),
        (x) => go({ x }),
      ),
      choice(
        'Penalty of unsolved units',
        [1, 2, 10].map((k) => ({ value: String(k), label: `PAR${k}` })),
        state.par,
        (par) => go({ par }),
      ),
    ].filter(Boolean),
  );
}

const isPar = (s) => (['1', '2', '10'].includes(s.par) ? Number(s.par) : 2);

/** The ratios by class of instances, computed when they are asked for. */
function classTable(p, view, chosen, classes) {
  const was = parts.classes.firstChild?.open;
  parts.classes.replaceChildren();
  if (classes.length === 0) return;
  const details = el(
    'details',
    {
      open: was,
      ontoggle: () => {
        if (!details.open || details.childElementCount > 1) return;
        const list = summary.ratios(p, view, chosen, classes);
        list.forEach((r) => summary.addInterval(p, r));
        details.append(table(tables.ratios(list, p, view, true, instanceLink(p))));
      },
    },
    el('summary', {}, 'By class of instances'),
  );
  parts.classes.append(details);
}

/** Does pieces of work one after the other, so that the page answers meanwhile, and drops them when the state changes. */
function inTurn(work) {
  const mine = generation;
  const step = () => {
    if (mine !== generation) return;
    const until = performance.now() + 30;
    while (work.length && performance.now() < until) work.shift()();
    if (work.length) setTimeout(step);
  };
  setTimeout(step);
}

function done(stage) {
  root.dataset.ready = stage;
  if (stage === 'all') root.setAttribute('aria-busy', 'false');
}

function begin() {
  ++generation;
  plots.forEach((x) => x.destroy());
  plots = [];
  root.setAttribute('aria-busy', 'true');
  root.dataset.ready = '';
  document.documentElement.classList.toggle('filtered', filtered(state));
  first();
}

/** The pictures of all problems, each with the way to its page. */
function overviews() {
  parts.overview.className = 'overviews';
  parts.overview.replaceChildren();
  announce(`${names.length} problems`);
  inTurn([
    ...data.problems.map((p) => () => {
      const mask = new Uint8Array(p.units).fill(1);
      const view = figures.leadView(p);
      const chosen = select(p, view, mask);
      const ratios = summary.ratios(p, view, chosen, [summary.all]);
      ratios.forEach((r) => summary.addInterval(p, r));
      const spec = figures.overview(p, view, chosen, ratios, figures.styles(p));
      const card = el('div', { class: 'card' });
      parts.overview.append(card);
      if (!spec) return card.append(el('p', {}, el('a', { href: format({ ...fresh(p.name), at: 'trouble' }, data) }, p.name), ': nothing is compared.'));
      const made = strip({ ...spec, name: `overview-${p.name}`, compact: true, wide: false }, opener(p), say(p));
      show(card, [made]);
      card.append(el('p', { class: 'more' }, el('a', { href: format(fresh(p.name), data) }, `All of ${p.name}`)));
    }),
    ...names
      .filter((name) => !problemOf(name))
      .map((name) => () => {
        const list = data.simulations.filter((s) => s.problem === name && s.metric === data.telling[name]);
        const card = el('div', { class: 'card' });
        parts.overview.append(card);
        const one = list.filter((s) => s.workload === list[0].workload);
        show(card, [picture(one, `overview-${name}`)]);
        card.append(el('p', { class: 'more' }, el('a', { href: format(fresh(name), data) }, `All of ${name}`)));
      }),
    () => done('all'),
  ]);
}

/** Recomputes everything, the first screen at once and the rest piece by piece, so that the page answers meanwhile. */
function recompute() {
  const p = problemOf(state.problem);
  const focused = document.activeElement?.closest('label')?.firstChild?.textContent;
  begin();
  if (state.problem) simulations(parts.simulations, data.simulations.filter((s) => s.problem === state.problem), data.telling[state.problem], show);
  if (!state.problem) return void overviews();
  if (!p) return void done('all');
  const view = p.views.find((v) => viewName(v) === state.view);
  if (problem !== p) {
    problem = p;
    parts['over-time'].replaceChildren(whole, ...still(overTime(p)));
    parts.worst.replaceChildren(...(p.worst ? [table(p.worst)] : []));
    controls(parts.filters, p, () => state, go);
  }
  refresh(parts.filters, state);
  const mask = maskOf(p, state);
  const instances = summary.instancesOf(p, mask);
  const units = mask.reduce((a, b) => a + b, 0);
  count.textContent =
    `${p.name}: ${many(units)} of ${many(p.units)} units on ${many(instances.length)} of ${many(p.instances.length)} instances. ` +
    `${describe(state)}${filtered(state) ? ' Best known values and bounds are those of the whole result set.' : ''}`;
  announce(count.textContent);
  const chosen = select(p, view, mask);
  const style = figures.styles(p);
  const ratios = summary.ratios(p, view, chosen, [summary.all]);
  const link = instanceLink(p);
  // Where factors vary, the main table is by class.
  const classes = summary.classes(p, chosen.instances).slice(1);
  const byClass = classes.some((c) => c.stratum);
  const rows = byClass ? summary.ratios(p, view, chosen, classes) : ratios;
  const ratioTable = () => parts.ratios.replaceChildren(table(tables.ratios(rows, p, view, byClass, link)));
  const overview = () => {
    const spec = figures.overview(p, view, chosen, ratios, style);
    parts.overview.className = '';
    show(
      parts.overview,
      spec ? [strip({ ...spec, caption: `${spec.caption}${filtered(state) ? ` ${describe(state)}` : ''}` }, opener(p), say(p))] : [],
    );
  };
  overview();
  ratioTable();
  // Where nothing is compared, what went wrong is what there is to say.
  const compared = ratios.some((r) => r.compared > 0);
  const solved = chosen.cells.some((list) => list.some((c) => c.solved));
  const section = (id) => document.getElementById(`view-${id}`);
  root.insertBefore(section('trouble'), section(compared ? 'simulations' : 'ratios'));
  for (const id of ['ratios', 'comparisons', 'instances', 'plots']) section(id).hidden = !solved;
  const comparisons = el('div', { class: 'figures' });
  inTurn([
    () => classTable(p, view, chosen, byClass ? [] : classes),
    () => choices(p, view),
    () =>
      show(
        parts.plots,
        drawn(p, [
          figures.ecdf(p, view, chosen, style, state.profile),
          figures.profile(p, view, chosen, style, state.profile),
          figures.trend(p, view, chosen, style, figures.axis(p, state.x)),
          figures.wallTimes(p, mask, style, isPar(state)),
        ]),
      ),
    () => {
      const solvers = summary.solvers(p, mask);
      parts.comparisons.replaceChildren(
        ...headToHead(p, mask, ratios),
        table(tables.times(summary.times(p, mask, isPar(state)), isPar(state))),
        ...(solvers.length ? [table(tables.solvers(solvers))] : []),
        comparisons,
      );
      show(comparisons, drawn(p, figures.methods(p, solvers)));
    },
    () => instanceList(parts.instances, p, view, chosen, state.list, go, link),
    () => trouble(parts.trouble, data, p, mask, instances, link),
    () => refocus(focused),
    () => done('numbers'),
    ...[...new Set([...ratios, ...rows])].map((r) => () => summary.addInterval(p, r)),
    () => {
      const old = plots.shift();
      old?.destroy();
      overview();
      ratioTable();
      arrive();
      done('all');
    },
  ]);
}

/** The comparisons with the algorithm that was chosen, else the best. */
function headToHead(p, mask, ratios) {
  const some = ratios.filter((r) => contender(r) && r.compared > 0).sort(summary.byQuality).map((r) => r.algorithm);
  const against = state.against === 'all' ? '' : some.includes(state.against) ? state.against : (some[0] ?? '');
  const options = [...some.map((a) => ({ value: a, label: a })), { value: 'all', label: 'each with each' }];
  return [
    choice('Head to head with', options, against || 'all', (a) => go({ against: a })),
    table(tables.pairs(summary.pairs(p, mask, against), against)),
  ];
}

/** Gives the focus back to the choice that was made, which was replaced. */
function refocus(label) {
  if (!label || document.activeElement !== document.body) return;
  for (const l of root.querySelectorAll('label.field'))
    if (l.firstChild.textContent === label) l.querySelector('select, input')?.focus();
}

/** Opens or closes the panel as the state says. */
function panel() {
  const p = problemOf(state.problem);
  const i = p && state.open ? p.hashes.indexOf(state.open) : -1;
  if (i < 0) return void (dialog.open && dialog.close());
  const view = p.views.find((v) => viewName(v) === state.view);
  dialog.replaceChildren(
    el(
      'div',
      { class: 'bar' },
      el('h2', { id: 'details-title' }, p.instances[i]),
      el('button', { type: 'button', onclick: () => dialog.close() }, 'Close'),
    ),
    ...details(p, view, i, data.links, state.of),
  );
  if (!dialog.open) dialog.showModal();
}

/** Goes to the section that the address names. */
function arrive() {
  const title = state.at && document.getElementById(`title-${state.at}`);
  if (!title) return;
  title.closest('details').open = true;
  title.scrollIntoView();
  title.focus({ preventScroll: true });
}

function follow() {
  if (location.hash.length > 1 && !location.hash.includes('=')) {
    // an anchor of the page or of the static report
    const target = document.getElementById(location.hash.slice(1));
    const fixed = document.getElementById('static').contains(target);
    if (target && fixed !== document.documentElement.classList.contains('everything')) {
      if (fixed) document.getElementById('everything').click();
    }
    if (target) return void target.scrollIntoView();
  }
  const before = state;
  state = parse(location.hash, data);
  const strip = (s) => format({ ...s, open: '', of: '', at: '' }, data);
  if (strip(before) !== strip(state) || generation === 0) recompute();
  else first();
  panel();
  arrive();
  root.dataset.address = location.hash; // that is shown, or about to be
}

skeleton();
root.hidden = false;
addEventListener('hashchange', follow);
follow();
if (generation === 0) recompute();
