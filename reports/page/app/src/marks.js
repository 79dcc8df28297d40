// How series look: colour, dash and glyph by the number that style.go gives, as in package plots.

import { svg } from './dom.js';

const colours = 15;
const dashes = ['', '6 2', '2 2', '8 2 2 2'];

const place = (style) => (style % colours) + Math.floor(style / colours);

export const stroke = (style) => `var(--s${style % colours})`;

export const dash = (style, dotted) => (dotted ? '1.5 2' : dashes[place(style) % dashes.length]);

const f = (v) => v.toFixed(1);
const circle = (x, y, r) => `M${f(x + r)} ${f(y)}A${r} ${r} 0 1 1 ${f(x - r)} ${f(y)}A${r} ${r} 0 1 1 ${f(x + r)} ${f(y)}Z`;
const square = (x, y, r) => `M${f(x - r)} ${f(y - r)}h${2 * r}v${2 * r}h${-2 * r}Z`;
const triangle = (x, y, r) => `M${f(x)} ${f(y - 1.3 * r)}L${f(x + 1.2 * r)} ${f(y + 0.9 * r)}H${f(x - 1.2 * r)}Z`;
const plus = (x, y, r) => `M${f(x - 1.2 * r)} ${f(y)}h${f(2.4 * r)}M${f(x)} ${f(y - 1.2 * r)}v${f(2.4 * r)}`;

/** In the order of package plots: filled circle, square and triangle, the same hollow, and a plus. */
const glyphs = [
  { path: circle, filled: true },
  { path: square, filled: true },
  { path: triangle, filled: true },
  { path: circle },
  { path: square },
  { path: triangle },
  { path: plus },
];

/** Many glyphs of one series as one element. */
export function dots(points, style, r, dotted, opacity = 1) {
  const g = glyphs[place(style) % glyphs.length];
  const d = points.map(([x, y]) => g.path(x, y, r)).join('');
  const filled = g.filled && !dotted;
  return svg('path', {
    d,
    fill: filled ? stroke(style) : 'none',
    stroke: filled ? 'none' : stroke(style),
    'stroke-width': 1.2,
    'fill-opacity': opacity,
    'stroke-opacity': Math.min(1, opacity + 0.2),
  });
}

/** The look of a series for a legend: line and glyph. */
export function swatch(style, dotted, points) {
  const out = svg('svg', { width: 30, height: 12, viewBox: '-15 -6 30 12', 'aria-hidden': 'true', class: 'swatch' });
  out.append(
    svg('path', {
      d: 'M-14 0H14',
      stroke: stroke(style),
      'stroke-width': 2,
      'stroke-dasharray': dash(style, dotted),
      fill: 'none',
    }),
  );
  if (points) out.append(dots([[0, 0]], style, 3.2, dotted));
  return out;
}
