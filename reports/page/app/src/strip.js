// One row an algorithm: dots of instances with the mean and its interval, or boxes; and ranges of simulated metrics.

import { linear, reach, scale, writer } from './axes.js';
import { svg } from './dom.js';
import { figure } from './figure.js';
import { middle, percentage } from './format.js';
import { canvas, frame, transients } from './plot.js';
import { dots as glyphs, stroke } from './marks.js';
import { quantile, sorted } from './stats.js';

/**
 * @typedef {Object} Row
 * @property {string} label
 * @property {number} style
 * @property {boolean} [dotted] not comparable with the others
 * @property {{lo: number, hi: number, unit: number}[]} dots
 * @property {number} mean
 * @property {[number, number]} ci of the mean; NaN: none
 * @property {{value: number, name: string, unit: number}} [worst]
 * @property {[number, number]} [range] from the smallest to the largest value, where there are no dots
 */

const crowded = 12; // as in package plots: how many times further than the largest mean a dot may be on a linear axis
const golden = 0.6180339887498949;

/** A logarithmic axis on which the optimum has a place of its own. */
function apart(axis, least, most, a, b) {
  const from = Math.log10(least) - 0.6;
  const till = Math.log10(most) + 0.08;
  const at = (v) => a + (((v < least ? Math.log10(least) - 0.5 : Math.log10(v)) - from) / (till - from)) * (b - a);
  const write = writer(axis);
  const ticks = [{ v: 0, label: 'optimal' }];
  for (let e = Math.log10(least); e <= till + 1e-9; e++) ticks.push({ v: 10 ** e, label: write(10 ** e) });
  return { at, ticks };
}

/**
 * @param {{name: string, title: string, caption: string, how: string, axis: import('./axes.js').Axis, rows: Row[],
 *   zero?: boolean, compact?: boolean, wide?: boolean}} spec rows in their order; zero: distances from an optimum at 0
 */
export function strip(spec, open, say) {
  const values = (rows) => rows.flatMap((r) => [...r.dots.flatMap((d) => [d.lo, d.hi]), r.mean, ...(r.range ?? []), ...r.ci].filter(Number.isFinite));
  const fair = spec.rows.filter((r) => !r.dotted);
  const positive = values(spec.rows).some((v) => v > 1e-9);
  const most = reach(values(fair))[1];
  const log = spec.zero && most > crowded * Math.max(...fair.map((r) => r.mean), 0) && most > 0;
  const hasDots = spec.rows.some((r) => r.dots.length);
  const switches = [
    hasDots && {
      name: 'show',
      label: 'Show',
      value: 'dots',
      options: [{ value: 'dots', label: 'instances' }, { value: 'boxes', label: 'box plots' }],
    },
    spec.zero && positive && {
      name: 'scale',
      label: 'Scale',
      value: log ? 'log' : 'linear',
      options: [{ value: 'linear', label: 'linear' }, { value: 'log', label: 'logarithmic' }],
    },
  ].filter(Boolean);
  const marked = spec.rows.filter((r) => r.dotted);
  const legend = marked.map((r) => ({ label: r.label, style: r.style, dotted: true, points: true }));

  const draw = (w, state) => {
    const rows = spec.rows.filter((r) => !r.dotted || !state.hidden(r.label, true));
    const narrow = w < 560;
    const longest = Math.max(...rows.map((r) => Math.min(r.label.length, 32)), 1);
    const lane = narrow ? 44 : spec.compact ? 26 : 34;
    const m = { left: narrow ? 10 : 16 + 7.4 * longest, right: narrow ? 16 : 20, top: 6, bottom: 40 };
    const h = m.top + lane * rows.length + m.bottom;
    let [lo, hi] = reach(values(rows.some((r) => !r.dotted) ? rows.filter((r) => !r.dotted) : rows));
    if (spec.zero) [lo, hi] = [Math.min(0, lo), hi > 1e-9 ? hi : 0.01];
    const room = (hi - lo) * (narrow ? 0.02 : Math.min(0.35, 170 / w)); // for the name of the worst
    let x;
    if (spec.zero && state.is('scale') === 'log') {
      const small = values(rows).filter((v) => v > 1e-9);
      const least = 10 ** Math.floor(Math.log10(Math.max(small.length ? reach(small)[0] : 1e-3, hi * 1e-6)));
      x = apart(spec.axis, least, Math.max(hi, least * 10) * (narrow ? 1 : 3), m.left, w - m.right);
    } else {
      x = scale(spec.axis, lo, hi + room, m.left, w - m.right);
      const wanted = Math.max(2, Math.min(8, (w - m.left - m.right) / 80));
      x.ticks = linear(lo, hi + room, spec.axis.whole, wanted).map((v) => ({ v, label: writer(spec.axis)(v) }));
    }
    const { out, inside: g } = canvas(w, h, m, `${spec.title}. ${spec.caption}`);
    frame(out, w, h, m, x, null, { x: spec.axis.label });
    out.append(g);
    if (spec.zero) g.append(svg('path', { d: `M${x.at(0).toFixed(1)} ${m.top}V${h - m.bottom}`, stroke: 'var(--ink)', 'stroke-width': 1.2 }));
    const points = [];
    const write = writer(spec.axis);
    // with a halo, or lines would run through
    const text = (attributes, s) =>
      out.append(svg('text', { 'font-size': 12, fill: 'var(--ink)', 'paint-order': 'stroke', stroke: 'var(--paper)', 'stroke-width': 4, ...attributes }, s));
    rows.forEach((r, k) => {
      const top = m.top + k * lane + (narrow ? 14 : 0), inner = lane - (narrow ? 16 : 4);
      const y = top + inner / 2 + 2, half = inner * 0.36;
      if (k) g.append(svg('path', { d: `M0 ${m.top + k * lane}H${w}`, stroke: 'var(--grid)', 'stroke-width': 0.6 }));
      if (narrow) text({ x: m.left, y: top - 2, 'font-weight': 600, fill: stroke(r.style) }, middle(r.label, 24));
      else text({ x: m.left - 8, y: y + 4, 'text-anchor': 'end', 'font-weight': 600 }, middle(r.label, 32));
      const line = (a, b, at, width, color) =>
        g.append(svg('path', { d: `M${x.at(a).toFixed(1)} ${at.toFixed(1)}H${x.at(b).toFixed(1)}`, stroke: color, 'stroke-width': width }));
      if (r.range && Number.isFinite(r.range[0])) line(...r.range, y, 1.2, stroke(r.style));
      if (hasDots && state.is('show') === 'boxes') {
        const his = sorted(r.dots.map((d) => d.hi));
        const q = (p) => quantile(his, p);
        line(q(0.05), q(0.25), y, 1.3, stroke(r.style));
        line(q(0.75), q(0.95), y, 1.3, stroke(r.style));
        const [a, b] = [x.at(q(0.25)), x.at(q(0.75))];
        g.append(
          svg('rect', {
            x: Math.min(a, b), y: y - half, width: Math.max(1, Math.abs(b - a)), height: 2 * half,
            fill: stroke(r.style), 'fill-opacity': 0.22, stroke: stroke(r.style), 'stroke-width': 1.3,
          }),
          svg('path', { d: `M${x.at(q(0.5)).toFixed(1)} ${y - half}v${2 * half}`, stroke: stroke(r.style), 'stroke-width': 3 }),
        );
        if (r.worst) {
          g.append(svg('path', { d: `M${x.at(r.worst.value) - 4} ${y - 4}l8 8m0 -8l-8 8`, stroke: stroke(r.style), 'stroke-width': 1.6 }));
          points.push({ x: x.at(r.worst.value), y, unit: r.worst.unit, label: r.label, text: () => `worst: ${say(r.worst.unit)}\n${write(r.worst.value)}` });
        }
      } else {
        const at = r.dots.map((d, i) => [x.at(d.hi), y + half * (1.7 * ((i * golden) % 1) - 0.85)]);
        let bars = '';
        r.dots.forEach((d, i) => {
          if (d.lo !== d.hi) bars += `M${x.at(d.lo).toFixed(1)} ${at[i][1].toFixed(1)}H${at[i][0].toFixed(1)}`;
          points.push({
            x: at[i][0], y: at[i][1], unit: d.unit, label: r.label,
            text: () => `${say(d.unit)}\n${d.lo === d.hi ? write(d.hi) : `between ${write(d.lo)} and ${write(d.hi)}`} ${spec.axis.short ?? ''}`,
          });
        });
        if (bars) g.append(svg('path', { d: bars, stroke: stroke(r.style), 'stroke-width': 2, 'stroke-opacity': 0.35, fill: 'none' }));
        g.append(glyphs(at, r.style, r.dots.length > 200 ? 1.8 : 2.6, r.dotted, r.dots.length > 60 ? 0.55 : 0.75));
      }
      if (Number.isFinite(r.ci[0])) {
        line(...r.ci, y, 2, 'var(--ink)');
        for (const end of r.ci) g.append(svg('path', { d: `M${x.at(end).toFixed(1)} ${(y - 4).toFixed(1)}v8`, stroke: 'var(--ink)', 'stroke-width': 2 }));
      }
      if (Number.isFinite(r.mean)) {
        g.append(svg('path', { d: `M${x.at(r.mean).toFixed(1)} ${y - half}v${2 * half}`, stroke: 'var(--paper)', 'stroke-width': 5 }));
        g.append(svg('path', { d: `M${x.at(r.mean).toFixed(1)} ${y - half}v${2 * half}`, stroke: 'var(--ink)', 'stroke-width': 2.6 }));
        points.push({ x: x.at(r.mean), y, unit: -1, label: r.label, text: () => `mean ${write(r.mean)}${Number.isFinite(r.ci[0]) ? `, 95 % interval ${write(r.ci[0])} to ${write(r.ci[1])}` : ''}` });
      }
      if (r.worst && Number.isFinite(r.worst.value)) {
        const px = x.at(r.worst.value);
        const name = middle(r.worst.name, 18);
        const words = spec.zero && Math.abs(r.worst.value) < 1e-9 ? 'optimal everywhere' : `${percentage(r.worst.value)} ${name}`;
        if (narrow) text({ x: w - m.right, y: top - 2, 'text-anchor': 'end', fill: 'var(--muted)' }, words.startsWith('optimal') ? words : `worst ${words}`);
        else if (px + 7 * words.length < w) text({ x: px + 8, y: y + 4, fill: 'var(--muted)' }, words);
      }
    });
    const { mark, brush } = transients(m, h);
    out.append(brush, mark);
    return { svg: out, points, mark, brush };
  };
  return figure({ ...spec, legend, switches, draw, others: fair.length > 0 }, open);
}
