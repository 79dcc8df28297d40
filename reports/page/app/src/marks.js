// How series look: colour, dash and glyph by the number that style.go gives, as in package plots.

import { svg } from './dom.js';

const colours = 15;
const dashes = ['', '6 2', '2 2', '8 2 2 2'];

const place = (style) => (style % colours) + Math.floor(style / colours);

export const stroke = (style) => `var(--s${style % colours})`;

export const dash = (style, dotted) => (dotted ? '1.5 2' : dashes[place(style) % dashes.length]);

const circle = (r) => `M${r} 0A${r} ${r} 0 1 1 ${-r} 0A${r} ${r} 0 1 1 ${r} 0Z`;
const square = (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`;
const triangle = (r) => `M0 ${-1.3 * r}L${1.2 * r} ${0.9 * r}H${-1.2 * r}Z`;

/** In the order of package plots: filled circle, square and triangle, the same hollow, and a plus. */
const glyphs = [
  { path: circle, filled: true },
  { path: square, filled: true },
  { path: triangle, filled: true },
  { path: circle },
  { path: square },
  { path: triangle },
  { path: (r) => `M${-1.2 * r} 0H${1.2 * r}M0 ${-1.2 * r}V${1.2 * r}` },
];

/** Many glyphs of one series as one element. */
export function dots(points, style, r, dotted, opacity = 1) {
  const g = glyphs[place(style) % glyphs.length];
  const d = points.map(([x, y]) => shift(g.path(r), x, y)).join('');
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

function shift(path, dx, dy) {
  return path.replace(/([MLHVA])([^A-Z]*)/g, (_, op, rest) => {
    const n = rest.trim().split(/\s+/).map(Number);
    if (op === 'H') return `H${(n[0] + dx).toFixed(1)}`;
    if (op === 'V') return `V${(n[0] + dy).toFixed(1)}`;
    n[n.length - 2] += dx;
    n[n.length - 1] += dy;
    return op + n.map((v, i) => (i >= n.length - 2 ? v.toFixed(1) : v)).join(' ');
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
