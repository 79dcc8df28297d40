// What all interactive drawings share: choices above, a legend that shows and hides series, a tooltip, the keyboard, downloads.

import { announce, el } from './dom.js';
import { saveSVG, savePNG } from './download.js';
import { swatch } from './marks.js';

/** What readers chose, by drawing, as long as the page is open: hidden series and the state of switches. */
const chosen = new Map();

function memory(key, series, switches, others) {
  if (!chosen.has(key)) chosen.set(key, { hidden: new Map(), on: {} });
  const m = chosen.get(key);
  // what is not comparable is off until it is asked for, unless there is nothing else
  const only = !others && series.every((s) => s.dotted);
  return {
    hidden: (label, dotted) => m.hidden.get(label) ?? (Boolean(dotted) && !only),
    toggle: (label, hidden) => m.hidden.set(label, hidden),
    is: (name) => m.on[name] ?? switches.find((s) => s.name === name)?.value,
    set: (name, value) => (m.on[name] = value),
  };
}

/**
 * @typedef {Object} Drawing
 * @property {SVGElement} svg
 * @property {{x: number, y: number, unit: number, label: string, text: () => string}[]} points in pixels of the drawing
 */

/**
 * A figure around a drawing that is made again whenever its width or what is chosen changes.
 * @param {Object} spec
 * @param {string} spec.name
 * @param {string} spec.title
 * @param {string} spec.caption n and the filter
 * @param {string} spec.how how to read it
 * @param {{label: string, style: number, dotted?: boolean, points?: boolean, rowed?: boolean}[]} spec.legend
 * @param {{name: string, label: string, value: string, options: {value: string, label: string}[]}[]} spec.switches
 * @param {boolean} [spec.others] there are comparable series that are not in the legend
 * @param {(width: number, state: {hidden: (label: string, dotted?: boolean) => boolean, is: (name: string) => string},
 *   zoom: [number, number]|null) => Drawing & {zoom?: (from: number, to: number) => [number, number]}} spec.draw
 * @param {(unit: number, label: string) => void} open
 */
export function figure(spec, open) {
  const state = memory(spec.key ?? spec.name, spec.legend, spec.switches, spec.others);
  let zoom = null;
  let drawing = null;
  let current = -1;

  const tip = el('div', { class: 'tip', hidden: true });
  const canvas = el('div', { class: 'canvas' });
  const area = el(
    'div',
    {
      class: 'plot',
      tabindex: 0,
      role: 'group',
      'aria-roledescription': 'plot',
      'aria-label': `${spec.title}. ${spec.caption} Arrow keys go from point to point, Enter opens the instance.`,
    },
    canvas,
    tip,
  );
  const reset = el('button', { type: 'button', hidden: true, onclick: () => ((zoom = null), redraw()) }, 'All values');
  const file = `${spec.file ?? spec.name}`;
  const bar = el(
    'div',
    { class: 'figure-bar' },
    ...spec.switches.map((s) => {
      const select = el('select', { 'aria-label': `${s.label}: ${spec.title}`, onchange: () => (state.set(s.name, select.value), redraw()) });
      for (const o of s.options)
        select.append(el('option', { value: o.value, selected: o.value === state.is(s.name) }, o.label));
      return el('span', { class: 'field' }, `${s.label} `, select);
    }),
    reset,
    el(
      'span',
      { class: 'downloads' },
      el('button', { type: 'button', 'aria-label': `Download as SVG: ${spec.title}`, onclick: () => saveSVG(drawing.svg, file, spec.title) }, 'SVG'),
      el('button', { type: 'button', 'aria-label': `Download as PNG: ${spec.title}`, onclick: () => savePNG(drawing.svg, file, spec.title) }, 'PNG'),
    ),
  );
  const legend = el('ul', { class: 'legend' });
  for (const l of spec.legend) {
    const shown = !state.hidden(l.label, l.dotted);
    const button = el(
      'button',
      {
        type: 'button',
        'aria-pressed': String(shown),
        title: l.dotted ? 'not comparable with the others' : 'show or hide',
        onclick: () => {
          const hide = button.getAttribute('aria-pressed') === 'true';
          state.toggle(l.label, hide);
          button.setAttribute('aria-pressed', String(!hide));
          redraw();
        },
      },
      swatch(l.style, l.dotted, l.points),
      l.label,
    );
    legend.append(el('li', {}, button));
  }
  const out = el(
    'figure',
    { id: `live-${spec.name}`, class: spec.wide ? 'wide' : null },
    el('div', { class: 'figure-head' }, el('strong', { class: 'title' }, spec.title), bar),
    legend,
    area,
    el(
      'figcaption',
      {},
      spec.caption,
      ' ',
      el('details', {}, el('summary', {}, 'How to read this'), el('p', {}, spec.how)),
    ),
    spec.numbers,
  );

  const tell = (k) => {
    current = k;
    const p = drawing.points[k];
    const text = p.text();
    tip.replaceChildren(el('strong', {}, p.label), el('br'), ...text.split('\n').flatMap((t) => [t, el('br')]));
    tip.hidden = false;
    const half = Math.min(tip.offsetWidth, area.clientWidth) / 2;
    tip.style.left = `${Math.max(0, Math.min(area.clientWidth - 2 * half, p.x - half))}px`;
    tip.style.top = `${p.y > tip.offsetHeight + 14 ? p.y - tip.offsetHeight - 10 : p.y + 14}px`;
    drawing.mark.setAttribute('transform', `translate(${p.x.toFixed(1)} ${p.y.toFixed(1)})`);
    drawing.mark.removeAttribute('visibility');
    announce(`${p.label}: ${text}`);
  };
  const forget = () => {
    tip.hidden = true;
    drawing?.mark.setAttribute('visibility', 'hidden');
  };
  const nearest = (px, py) => {
    let best = -1;
    let least = 16 ** 2;
    drawing.points.forEach((p, k) => {
      const d = (p.x - px) ** 2 + (p.y - py) ** 2;
      if (d < least) [best, least] = [k, d];
    });
    return best;
  };
  const where = (e) => {
    const box = canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  };
  const choose = (k) => drawing.points[k].unit >= 0 && open(drawing.points[k].unit, drawing.points[k].label);

  area.addEventListener('keydown', (e) => {
    const n = drawing.points.length;
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[e.key];
    if (step && n) {
      e.preventDefault();
      tell(Math.max(0, Math.min(n - 1, current + step)));
    } else if ((e.key === 'ArrowDown' || e.key === 'ArrowUp') && n) {
      e.preventDefault(); // to the next or previous series
      const way = e.key === 'ArrowDown' ? 1 : -1;
      let k = Math.max(0, current);
      const label = drawing.points[k].label;
      while (drawing.points[k]?.label === label) k += way;
      if (drawing.points[k]) tell(k);
    } else if (e.key === 'Enter' && current >= 0) choose(current);
    else if (e.key === 'Escape') forget();
  });
  let down = null;
  canvas.addEventListener('pointerdown', (e) => (down = e.pointerType === 'mouse' ? where(e) : null));
  canvas.addEventListener('pointermove', (e) => {
    const [x, y] = where(e);
    if (down && drawing.zoom && Math.abs(x - down[0]) > 4) {
      drawing.brush.setAttribute('x', Math.min(x, down[0]));
      drawing.brush.setAttribute('width', Math.abs(x - down[0]));
      return;
    }
    const k = nearest(x, y);
    canvas.style.cursor = k >= 0 && drawing.points[k].unit >= 0 ? 'pointer' : '';
    if (k >= 0 && (k !== current || tip.hidden)) tell(k);
    else if (k < 0) forget();
  });
  canvas.addEventListener('pointerup', (e) => {
    const [x] = where(e);
    if (down && drawing.zoom && Math.abs(x - down[0]) > 12) {
      zoom = drawing.zoom(Math.min(x, down[0]), Math.max(x, down[0]));
      redraw();
    }
    down = null;
    drawing.brush?.setAttribute('width', 0);
  });
  canvas.addEventListener('pointerleave', () => ((down = null), forget()));
  canvas.addEventListener('click', (e) => {
    const k = nearest(...where(e));
    if (k >= 0) choose(k);
  });

  let width = 0;
  function redraw() {
    width = Math.max(260, area.clientWidth);
    drawing = spec.draw(width, state, zoom);
    current = -1;
    reset.hidden = !zoom;
    canvas.replaceChildren(drawing.svg);
    tip.hidden = true;
  }
  // In the next frame: a drawing changes the page's height, and with it perhaps the width that is being reported.
  const watch = new ResizeObserver(() =>
    requestAnimationFrame(() => area.clientWidth > 0 && Math.abs(Math.max(260, area.clientWidth) - width) > 1 && redraw()),
  );
  return {
    figure: out,
    start() {
      redraw();
      watch.observe(area);
    },
    destroy: () => watch.disconnect(),
  };
}
