// The interactive part of the report page: reads the data in it, keeps the state in the address, and recomputes every table
// and plot from the units that the filters let through.

import 'uplot/dist/uPlot.min.css';
import './app.css';
import { controls, refresh } from './controls.js';
import { unpack } from './data.js';
import { announce, choice, el, table } from './dom.js';
import { details } from './details.js';
import * as figures from './figures.js';
import { many, value } from './format.js';
import { instanceList, trouble } from './lists.js';
import { plot } from './plot.js';
import { select } from './ratio.js';
import { describe, filtered, format, maskOf, parse, viewName } from './state.js';
import * as summary from './summary.js';
import * as tables from './tables.js';
import { theme } from './theme.js';

const root = document.getElementById('app');
const data = await unpack(document.getElementById('data').textContent);
let state = parse(location.hash, data);
let problem; // that the controls are for
let plots = []; // on the page
let generation = 0; // of what is shown; work for an older one is dropped

const go = (change) => (location.hash = format({ ...state, ...change }, data));
const open = (p, i) => go({ open: p.hashes[i] });

/** A button that leads to an instance. */
const instanceButton = (p, i) =>
  el('button', { type: 'button', class: 'link', onclick: () => open(p, i) }, p.instances[i]);

// The skeleton, which stays; its parts are filled again whenever the state changes.

const parts = {};
const part = (name, ...children) => (parts[name] = el('div', { id: `live-${name}` }, ...children));
const count = el('p', { id: 'count', class: 'count' });
const dialog = el('dialog', { id: 'details', 'aria-labelledby': 'details-title' });
const section = (id, title, ...children) =>
  el(
    'section',
    { id: `view-${id}`, 'aria-labelledby': `title-${id}` },
    el('h2', { id: `title-${id}`, tabindex: -1 }, title),
    ...children,
  );

function toSection(id) {
  const title = document.getElementById(`title-${id}`);
  title.scrollIntoView();
  title.focus({ preventScroll: true });
}

function skeleton() {
  const sections = [
    ['trouble', 'Not solved'],
    ['ratios', 'Ratios'],
    ['comparisons', 'Comparisons'],
    ['instances', 'Instances'],
  ];
  if (data.simulations.length) sections.push(['simulations', 'Simulations']);
  const everything = el(
    'button',
    {
      type: 'button',
      'aria-pressed': 'false',
      onclick: () => {
        const shown = document.documentElement.classList.toggle('everything');
        everything.setAttribute('aria-pressed', String(shown));
        if (shown) document.getElementById('static').scrollIntoView();
      },
    },
    'Static report',
  );
  root.append(
    el(
      'div',
      { class: 'bar' },
      el(
        'nav',
        { 'aria-label': 'Sections' },
        ...sections.map(([id, title]) =>
          el('button', { type: 'button', class: 'link', onclick: () => toSection(id) }, title),
        ),
      ),
      el(
        'span',
        { class: 'tools' },
        everything,
        theme(() => plots.forEach((x) => x.redraw())),
      ),
    ),
    part('filters'),
    count,
    section('trouble', 'What was not solved, failed or contradicted', part('trouble')),
    section('ratios', 'Ratios', part('ratios'), part('classes'), part('choices'), part('plots')),
    section('comparisons', 'Comparisons', part('comparisons')),
    section('instances', 'Instances', part('instances')),
    el('p', { id: 'live', class: 'visually-hidden', role: 'status', 'aria-live': 'polite' }),
    dialog,
  );
  parts.plots.className = 'figures';
  if (data.simulations.length) {
    dialog.before(section('simulations', 'Simulations', part('simulations')));
  }
  addEventListener('click', (e) => {
    // a click elsewhere closes a filter's list
    for (const d of parts.filters.querySelectorAll('details[open]')) if (!d.contains(e.target)) d.open = false;
  });
  dialog.addEventListener('close', () => state.open && go({ open: '' }));
  dialog.addEventListener('click', (e) => e.target === dialog && dialog.close());
}

function simulations(p) {
  if (!parts.simulations) return;
  const list = data.simulations.filter(
    (s) => s.problem === p.name && (!state.words.algorithm.length || state.words.algorithm.includes(s.policy)),
  );
  parts.simulations.replaceChildren(table(tables.simulations(list)));
}

/** Puts new plots in the place of old ones; a plot is drawn once it is in the document. */
function show(area, specs, p) {
  const say = (u, label) => `${label}: instance ${p.instances[p.col.instance[u]]}, objective ${value(p.col.value[u])}`;
  const made = specs
    .filter(Boolean)
    .map((s) => plot({ ...s, caption: `${s.caption} ${describe(state)}` }, (u) => open(p, p.col.instance[u]), say));
  area.replaceChildren(...made.map((x) => x.figure));
  for (const x of made) x.start();
  plots.push(...made);
}

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
      choice('Plot against', figures.features(p), figures.axis(p, state.x), (x) => go({ x })),
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
function classTable(p, view, chosen) {
  const classes = summary.classes(p, chosen.instances).slice(1);
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
        list.forEach(summary.addInterval);
        details.append(table(tables.ratios(list, view, true)));
      },
    },
    el('summary', {}, 'By class of instances'),
  );
  parts.classes.append(details);
}

/** Recomputes everything, the first screen at once and the rest piece by piece, so that the page answers meanwhile. */
function recompute() {
  const mine = ++generation;
  const p = data.problems.find((x) => x.name === state.problem);
  const view = p.views.find((v) => viewName(v) === state.view);
  const focused = document.activeElement?.closest('label')?.firstChild?.textContent;
  if (problem !== p) {
    problem = p;
    controls(parts.filters, data, p, () => state, go);
  }
  refresh(parts.filters, state);
  document.documentElement.classList.toggle('filtered', filtered(state));
  root.setAttribute('aria-busy', 'true');
  root.dataset.ready = '';
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
  plots.forEach((x) => x.destroy());
  plots = [];
  const ratioTable = () => parts.ratios.replaceChildren(table(tables.ratios(ratios, view, false)));
  trouble(parts.trouble, data, p, mask, instances, instanceButton);
  ratioTable();
  classTable(p, view, chosen);
  choices(p, view);
  const comparisons = el('div', { class: 'figures' });
  const work = [
    () =>
      show(
        parts.plots,
        [
          figures.ecdf(p, view, chosen, style),
          figures.profile(p, view, chosen, style, state.profile),
          figures.trend(p, view, chosen, style, figures.axis(p, state.x)),
          figures.wallTimes(p, mask, style, isPar(state)),
        ],
        p,
      ),
    () => {
      const solvers = summary.solvers(p, mask);
      parts.comparisons.replaceChildren(
        table(tables.pairs(summary.pairs(p, mask))),
        table(tables.times(summary.times(p, mask, isPar(state)), isPar(state))),
        table(tables.solvers(solvers)),
        comparisons,
      );
      show(comparisons, figures.methods(p, solvers), p);
    },
    () => instanceList(parts.instances, p, view, chosen, state.list, go, instanceButton),
    () => simulations(p),
    () => refocus(focused),
    () => (root.dataset.ready = 'numbers'),
    ...ratios.map((r) => () => summary.addInterval(r)),
    () => {
      ratioTable();
      root.dataset.ready = 'all';
      root.setAttribute('aria-busy', 'false');
    },
  ];
  const step = () => {
    if (mine !== generation) return;
    const until = performance.now() + 30;
    while (work.length && performance.now() < until) work.shift()();
    if (work.length) setTimeout(step);
  };
  setTimeout(step);
}

/** Gives the focus back to the choice that was made, which was replaced. */
function refocus(label) {
  if (!label || document.activeElement !== document.body) return;
  for (const l of root.querySelectorAll('label.field'))
    if (l.firstChild.textContent === label) l.querySelector('select, input')?.focus();
}

/** Opens or closes the panel as the state says. */
function panel() {
  const p = data.problems.find((x) => x.name === state.problem);
  const i = state.open ? p.hashes.indexOf(state.open) : -1;
  if (i < 0) return void (dialog.open && dialog.close());
  const view = p.views.find((v) => viewName(v) === state.view);
  dialog.replaceChildren(
    el(
      'div',
      { class: 'bar' },
      el('h2', { id: 'details-title' }, p.instances[i]),
      el('button', { type: 'button', onclick: () => dialog.close() }, 'Close'),
    ),
    ...details(p, view, i, data.links),
  );
  if (!dialog.open) dialog.showModal();
}

function follow() {
  if (location.hash && !location.hash.includes('=')) {
    // an anchor of the static report
    const target = document.getElementById(location.hash.slice(1));
    if (document.getElementById('static').contains(target)) {
      document.documentElement.classList.add('everything');
      target.scrollIntoView();
      return;
    }
  }
  const before = state;
  state = parse(location.hash, data);
  const strip = (s) => format({ ...s, open: '' }, data);
  if (strip(before) !== strip(state) || generation === 0) recompute();
  panel();
  root.dataset.address = location.hash; // that is shown, or about to be
}

skeleton();
root.hidden = false;
addEventListener('hashchange', follow);
follow();
if (generation === 0) recompute();
