// One interactive plot of lines and dots over two axes, drawn as SVG.

import { reach, scale, writer } from './axes.js';
import { el, svg } from './dom.js';
import { figure } from './figure.js';
import { num } from './format.js';
import { dash, dots as glyphs, stroke } from './marks.js';
import { table } from './table.js';

/**
 * @typedef {Object} Series
 * @property {string} label
 * @property {number} style as in style.go
 * @property {boolean} [dotted] not comparable with the others, or proven
 * @property {boolean} [thin] a worst case: thin and dashed
 * @property {boolean} [step] a step function, flat to the right of its points
 * @property {number[]} x ascending
 * @property {number[]} y
 * @property {number[]} [edge] the other edge of the band, at the same x
 * @property {number[]} [units] of the points
 * @property {boolean} [quiet] not in the legend: it comes and goes with the series of its label
 */

/**
 * @typedef {Object} Spec
 * @property {string} name
 * @property {string} title
 * @property {string} caption n and the filter
 * @property {string} how how to read it
 * @property {import('./axes.js').Axis} x
 * @property {import('./axes.js').Axis} y
 * @property {Series[]} lines
 * @property {{label: string, style: number, dotted?: boolean, x: number[], y: number[], units: number[]}[]} [dots]
 */

const height = 320;
const margin = { left: 62, right: 14, top: 8, bottom: 42 };

/** The frame of a drawing: grid, ticks and labels. */
export function frame(out, w, h, m, x, y, labels) {
  const text = (attributes, s) => out.append(svg('text', { fill: 'var(--ink)', 'font-size': 12, ...attributes }, s));
  for (const t of x.ticks) {
    const px = x.at(t.v);
    if (px < m.left - 1 || px > w - m.right + 1) continue;
    out.append(svg('path', { d: `M${px.toFixed(1)} ${m.top}V${h - m.bottom}`, stroke: 'var(--grid)' }));
    text({ x: px, y: h - m.bottom + 16, 'text-anchor': 'middle' }, t.label);
  }
  for (const t of y?.ticks ?? []) {
    const py = y.at(t.v);
    if (py < m.top - 1 || py > h - m.bottom + 1) continue;
    out.append(svg('path', { d: `M${m.left} ${py.toFixed(1)}H${w - m.right}`, stroke: 'var(--grid)' }));
    text({ x: m.left - 7, y: py + 4, 'text-anchor': 'end' }, t.label);
  }
  text({ x: (m.left + w - m.right) / 2, y: h - 6, 'text-anchor': 'middle' }, labels.x);
  if (labels.y) text({ transform: `translate(14 ${(m.top + h - m.bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, labels.y);
}

/** What comes and goes while the pointer moves. */
export function transients(m, h) {
  const mark = svg('circle', { r: 6.5, fill: 'none', stroke: 'var(--ink)', 'stroke-width': 2, visibility: 'hidden', class: 'transient' });
  const brush = svg('rect', { x: 0, y: m.top, width: 0, height: h - m.top - m.bottom, fill: 'var(--muted)', 'fill-opacity': 0.25, class: 'transient' });
  return { mark, brush };
}

let clips = 0;

/** The drawing's root with a group that is cut off at its frame. */
export function canvas(w, h, m, label) {
  const id = `clip${++clips}`;
  const out = svg('svg', { width: w, height: h, viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': label, class: 'drawn' });
  out.append(
    svg('clipPath', { id }, svg('rect', { x: m.left - 4, y: m.top - 4, width: Math.max(0, w - m.left - m.right + 8), height: h - m.top - m.bottom + 8 })),
  );
  return { out, inside: svg('g', { 'clip-path': `url(#${id})` }) };
}

function path(l, y, x, ys, right) {
  let d = '';
  let last = null;
  l.x.forEach((v, k) => {
    const [px, py] = [x.at(v).toFixed(1), y.at(ys[k]).toFixed(1)];
    if (!Number.isFinite(Number(px)) || !Number.isFinite(Number(py))) return;
    if (last === null) d += l.step ? `M${px} ${y.at(0).toFixed(1)}V${py}` : `M${px} ${py}`;
    else d += l.step ? `H${px}V${py}` : `L${px} ${py}`;
    last = py;
  });
  return l.step && last !== null ? `${d}H${right}` : d;
}

/** The area between a line and its edge. */
function band(l, y, x, right) {
  const corners = (ys) => {
    const out = [];
    l.x.forEach((v, k) => {
      if (l.step && k) out.push([x.at(v), y.at(ys[k - 1])]);
      out.push([x.at(v), y.at(ys[k])]);
    });
    if (l.step) out.push([right, y.at(ys.at(-1))]);
    return out;
  };
  return [...corners(l.y), ...corners(l.edge).reverse()].map(([a, b], k) => `${k ? 'L' : 'M'}${a.toFixed(1)} ${b.toFixed(1)}`).join('') + 'Z';
}

/**
 * Draws spec and returns its figure with a way to start and to end it.
 * @param {Spec} spec
 * @param {(unit: number, label: string) => void} open
 * @param {(unit: number) => string} say
 */
export function plot(spec, open, say) {
  const positive = (key) => [...spec.lines, ...(spec.dots ?? [])].every((s) => s[key].every((v) => !(v <= 0)));
  const switchable = (axis, key) => !axis.words && !axis.share && positive(key);
  const switches = [];
  for (const [key, label] of [['x', 'Horizontal'], ['y', 'Vertical']]) {
    if (!switchable(spec[key], key)) continue;
    switches.push({
      name: key,
      label,
      value: spec[key].log ? 'log' : 'linear',
      options: [{ value: 'linear', label: 'linear' }, { value: 'log', label: 'logarithmic' }],
    });
  }
  const legend = [];
  for (const l of [...spec.lines, ...(spec.dots ?? [])])
    if (!l.quiet && !l.thin && !legend.some((o) => o.label === l.label))
      legend.push({ label: l.label, style: l.style, dotted: l.dotted, points: !l.step });

  const draw = (w, state, zoom) => {
    const h = height;
    const m = { ...margin, left: spec.y.share ? 58 : margin.left };
    const on = (s) => !state.hidden(s.label, legend.find((o) => o.label === s.label)?.dotted);
    const lines = spec.lines.filter(on);
    const dots = (spec.dots ?? []).filter(on);
    const axis = (key) => (switchable(spec[key], key) ? { ...spec[key], log: state.is(key) === 'log' } : spec[key]);
    const [ax, ay] = [axis('x'), axis('y')];
    const xs = zoom ?? reach([...lines, ...dots].flatMap((s) => s.x));
    const inside = (s) => (v, k) => !zoom || (s.x[k] >= zoom[0] && s.x[k] <= zoom[1]);
    const ys = reach([...lines, ...dots].flatMap((s) => [...s.y.filter(inside(s)), ...(s.edge ?? []).filter(inside(s))]));
    const x = scale(ax, ...xs, m.left, w - m.right);
    const y = scale(ay, ...ys, h - m.bottom, m.top);
    const { out, inside: g } = canvas(w, h, m, `${spec.title}. ${spec.caption}`);
    frame(out, w, h, m, x, y, { x: spec.x.label, y: spec.y.label });
    const right = w - m.right;
    const points = [];
    const [wx, wy] = [writer(spec.x), writer(spec.y)];
    const tell = (v, k, s) => {
      const at = `${spec.x.words ? wx(v) : `${spec.x.label}: ${wx(v)}`}\n${spec.y.label}: ${wy(s.y[k])}`;
      return s.units?.[k] >= 0 ? `${say(s.units[k])}\n${at}` : at;
    };
    const add = (s) =>
      s.x.forEach((v, k) => {
        const [px, py] = [x.at(v), y.at(s.y[k])];
        if (!(s.units?.[k] < 0) && px >= m.left - 4 && px <= right + 4 && Number.isFinite(py))
          points.push({ x: px, y: py, unit: s.units?.[k] ?? -1, label: s.label + (s.thin ? ', worst' : ''), text: () => tell(v, k, s) });
      });
    for (const d of dots) {
      const shown = d.x.map((v, k) => [x.at(v), y.at(d.y[k])]).filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
      g.append(glyphs(shown, d.style, 2.2, d.dotted, 0.5));
      add(d);
    }
    for (const l of lines) if (l.edge && !spec.x.words) g.append(svg('path', { d: band(l, y, x, right), fill: stroke(l.style), 'fill-opacity': 0.2 }));
    for (const l of lines) {
      if (!spec.x.words) g.append( // words have no order that a line could follow
        svg('path', {
          d: path(l, y, x, l.y, right),
          fill: 'none',
          stroke: stroke(l.style),
          'stroke-width': l.thin ? 1.1 : 2,
          'stroke-dasharray': l.thin ? '5 4' : dash(l.style, l.dotted),
          'stroke-linejoin': 'round',
        }),
      );
      if (!l.step && !l.thin) g.append(glyphs(l.x.map((v, k) => [x.at(v), y.at(l.y[k])]), l.style, 3.2, l.dotted));
      if (l.units || !l.thin) add(l);
    }
    const { mark, brush } = transients(m, h);
    out.append(g, brush, mark);
    return { svg: out, points, mark, brush, zoom: spec.x.words ? null : (a, b) => [x.back(a), x.back(b)] };
  };
  return figure({ ...spec, legend, switches, draw, numbers: spec.lines.length ? asTable(spec) : null }, open);
}

/** The plot's lines in numbers, made when they are asked for. */
function asTable(spec) {
  const details = el(
    'details',
    {
      class: 'numbers',
      ontoggle: () => {
        if (!details.open || details.childElementCount > 1) return;
        const format = (a) => (v) =>
          a.words ? a.words[v] : (a.format ?? (a.share || a.percent ? (s) => `${(100 * s).toFixed(1)} %` : num))(v);
        const rows = [];
        for (const l of spec.lines) {
          const every = Math.max(1, Math.ceil(l.x.length / 20));
          l.x.forEach((x, k) => {
            if (k % every && k !== l.x.length - 1) return;
            rows.push({
              cells: [
                l.label + (l.thin ? ' (worst)' : ''),
                format(spec.x)(x),
                format(spec.y)(l.y[k]),
                l.edge ? format(spec.y)(l.edge[k]) : '–',
              ],
            });
          });
        }
        details.append(
          table({ title: spec.title, text: 1, head: ['series', spec.x.label, spec.y.label, 'other end'], rows }),
        );
      },
    },
    el('summary', {}, 'In numbers'),
  );
  return details;
}
