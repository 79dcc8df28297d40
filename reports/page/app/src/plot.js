// One interactive plot: uPlot for axes, lines, bands and zoom; dots, hit tests and the keyboard are added here. A logarithmic
// axis is a linear one of logarithms, so that ratios between 1 and 2 get ticks of their own.

import uPlot from 'uplot';
import { announce, el, table } from './dom.js';
import { num } from './format.js';

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
 * @property {boolean} [quiet] not in the legend
 */

/**
 * @typedef {Object} Spec
 * @property {string} name
 * @property {string} title
 * @property {string} caption n and the filter
 * @property {string} how how to read it
 * @property {{label: string, log?: boolean, words?: string[], format?: (x: number) => string}} x
 * @property {{label: string, log?: boolean, share?: boolean, format?: (x: number) => string}} y
 * @property {Series[]} lines
 * @property {{label: string, style: number, x: number[], y: number[], units: number[]}[]} [dots]
 */

const palette = 7;
const dashes = [[], [6, 2], [2, 2], [8, 2, 2, 2]];
const height = 300;

/** The colour that a custom property stands for in the scheme now in force. */
function color(name) {
  const probe = document.body.appendChild(el('span', { style: `color: var(--${name})` }));
  const c = getComputedStyle(probe).color;
  probe.remove();
  return c;
}

const seriesColor = (style) => color(`s${style % palette}`);
const translucent = (c, alpha) => c.replace(/^rgb\(([^)]*)\)$/, `rgba($1, ${alpha})`);

/** The corners of a glyph around (0, 0); null: a circle. */
const glyphs = [
  null,
  [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ],
  [
    [0, -1.2],
    [1.1, 0.9],
    [-1.1, 0.9],
  ],
  [
    [0, 1.2],
    [1.1, -0.9],
    [-1.1, -0.9],
  ],
  [
    [0, -1.3],
    [1.3, 0],
    [0, 1.3],
    [-1.3, 0],
  ],
];

function glyph(ctx, style, x, y, r) {
  const corners = glyphs[style % glyphs.length];
  if (corners) corners.forEach(([dx, dy], k) => ctx[k ? 'lineTo' : 'moveTo'](x + dx * r, y + dy * r));
  else (ctx.moveTo(x + r, y), ctx.arc(x, y, r, 0, 2 * Math.PI));
  if (corners) ctx.closePath();
}

/** Round numbers in [lo, hi]. */
function ticks(lo, hi, log) {
  if (log) {
    const [a, b] = [Math.exp(lo), Math.exp(hi)];
    if (b / a >= 20) {
      const out = [];
      for (let e = Math.floor(Math.log10(a)); e <= Math.log10(b); e++) {
        for (const m of b / a > 1e3 ? [1] : [1, 2, 5]) out.push(m * 10 ** e);
      }
      return out.filter((t) => t >= a * 0.999 && t <= b * 1.001).map(Math.log);
    }
    return ticks(a, b, false).map(Math.log);
  }
  const least = (hi - lo) / 6 || 1;
  const decade = 10 ** Math.floor(Math.log10(least));
  const step = decade * [1, 2, 2.5, 5, 10].find((m) => m * decade >= least * 0.999);
  const out = [];
  for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + 1e-9 * step; k++)
    out.push(Number((k * step).toPrecision(12)));
  return out;
}

const tidy = (x) => String(Number(x.toPrecision(6)));

function axis(a, ink, grid, extra) {
  const write = a.format ?? (a.share ? (v) => `${Math.round(100 * v)} %` : tidy);
  return {
    label: a.label,
    stroke: ink,
    labelSize: 22,
    font: '12px system-ui, sans-serif',
    labelFont: '12px system-ui, sans-serif',
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: 5 },
    splits: (u, i, lo, hi) => (a.words ? a.words.map((_, k) => k) : ticks(lo, hi, a.log)),
    values: (u, splits) => splits.map((v) => (a.words ? a.words[v] : write(a.log ? Math.exp(v) : v))),
    ...extra,
  };
}

/** All x of the lines, each once and ascending, and every line's y at them. */
function align(lines, to, extremes) {
  const xs = Float64Array.from(new Set([...lines.flatMap((l) => l.x), ...extremes])).sort();
  const data = [Array.from(xs, to.x)];
  const at = (x, l, y) => {
    const out = new Array(xs.length).fill(null);
    let k = -1;
    for (let i = 0; i < xs.length; i++) {
      while (k + 1 < l.x.length && l.x[k + 1] <= xs[i]) k++;
      if (k >= 0 && (l.step || l.x[k] === xs[i])) out[i] = to.y(y[k]);
    }
    return out;
  };
  for (const l of lines) {
    data.push(at(xs, l, l.y));
    if (l.edge) data.push(at(xs, l, l.edge));
  }
  return data;
}

const padded = (lo, hi) => (hi > lo ? [lo - 0.03 * (hi - lo), hi + 0.04 * (hi - lo)] : [lo - 0.5, hi + 0.5]);

/**
 * Draws spec and returns its figure with a way to end it.
 * @param {Spec} spec
 * @param {(unit: number) => void} open
 * @returns {{figure: HTMLElement, start: () => void, redraw: () => void, destroy: () => void}}
 */
export function plot(spec, open, say) {
  const to = { x: spec.x.log ? Math.log : (v) => v, y: spec.y.log ? Math.log : (v) => v };
  const dots = spec.dots ?? [];
  const points = []; // what can be clicked: [x, y, unit, label] in plotted coordinates
  for (const l of spec.lines)
    l.units?.forEach((u, k) => u >= 0 && points.push([to.x(l.x[k]), to.y(l.y[k]), u, l.label]));
  for (const d of dots) d.units.forEach((u, k) => points.push([to.x(d.x[k]), to.y(d.y[k]), u, d.label]));
  const all = (key) =>
    [...spec.lines, ...dots].flatMap((s) => [s[key], key === 'y' ? (s.edge ?? []) : []].flat()).filter(Number.isFinite);
  const reach = (xs) => xs.reduce(([lo, hi], x) => [Math.min(lo, x), Math.max(hi, x)], [Infinity, -Infinity]);
  const xReach = spec.x.words ? [-0.5, spec.x.words.length - 0.5] : reach(all('x'));
  const yRange = spec.y.share ? [0, 1.02] : padded(...reach(all('y')).map(to.y));
  const [left, right] = padded(...xReach.map(to.x));
  const data = align(
    spec.lines,
    to,
    xReach.map((x) => x),
  );

  const area = el('div', {
    class: 'plot',
    tabindex: 0,
    role: 'group',
    'aria-roledescription': 'plot',
    'aria-label': `${spec.title}. ${spec.caption} Arrow keys go from point to point, Enter opens the instance.`,
  });
  const legend = el('ul', { class: 'legend', 'aria-hidden': 'true' });
  const caption = el(
    'figcaption',
    {},
    el('strong', {}, spec.title),
    `. ${spec.caption} `,
    el('em', {}, 'How to read this: '),
    spec.how,
  );
  const figure = el('figure', { id: `live-${spec.name}` }, area, legend, caption, asTable(spec));

  let u = null;
  let current = -1;
  const place = (k) => [u.valToPos(points[k][0], 'x'), u.valToPos(points[k][1], 'y')];
  const mark = el('div', { class: 'mark', hidden: true });
  const tell = (k) => {
    current = k;
    const [x, y] = place(k);
    mark.hidden = false;
    mark.style.transform = `translate(${x}px, ${y}px)`;
    announce(say(points[k][2], points[k][3]));
    mark.title = say(points[k][2], points[k][3]);
  };
  const nearest = (px, py) => {
    let best = -1;
    let least = 14 ** 2;
    for (let k = 0; k < points.length; k++) {
      const [x, y] = place(k);
      const d = (x - px) ** 2 + (y - py) ** 2;
      if (d < least) [best, least] = [k, d];
    }
    return best;
  };
  area.addEventListener('keydown', (e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[e.key];
    if (step && points.length) {
      e.preventDefault();
      tell(Math.max(0, Math.min(points.length - 1, current + step)));
    } else if ((e.key === 'ArrowDown' || e.key === 'ArrowUp') && points.length) {
      e.preventDefault(); // to the next or previous series
      const way = e.key === 'ArrowDown' ? 1 : -1;
      let k = Math.max(0, current);
      while (points[k] && points[k][3] === points[Math.max(0, current)][3]) k += way;
      if (points[k]) tell(k);
    } else if (e.key === 'Enter' && current >= 0) open(points[current][2]);
  });

  const make = () => {
    const [ink, grid, paper] = ['ink', 'grid', 'paper'].map(color);
    const series = [{}];
    const bands = [];
    for (const l of spec.lines) {
      const stroke = seriesColor(l.style);
      const dash = l.dotted ? [2, 3] : l.thin ? [5, 4] : dashes[Math.floor(l.style / palette) % dashes.length];
      series.push({
        label: l.label,
        stroke,
        dash,
        width: l.thin ? 1 : 2,
        spanGaps: true,
        points: { show: !l.step && !l.thin && !l.dotted, size: 6, fill: paper },
        paths: l.step ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear(),
      });
      if (l.edge) {
        bands.push(
          { series: [series.length, series.length - 1], fill: translucent(stroke, 0.2) },
          { series: [series.length - 1, series.length], fill: translucent(stroke, 0.2) },
        );
        series.push({
          label: `${l.label}, other end`,
          stroke: 'transparent',
          width: 0,
          spanGaps: true,
          points: { show: false },
          paths: l.step ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear(),
        });
      }
    }
    const drawDots = (self) => {
      const { ctx, bbox } = self;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      for (const d of dots) {
        ctx.fillStyle = translucent(seriesColor(d.style), 0.55);
        ctx.beginPath();
        d.x.forEach((x, k) =>
          glyph(
            ctx,
            d.style,
            self.valToPos(to.x(x), 'x', true),
            self.valToPos(to.y(d.y[k]), 'y', true),
            2.2 * devicePixelRatio,
          ),
        );
        ctx.fill();
      }
      ctx.restore();
    };
    u = new uPlot(
      {
        width: Math.max(280, area.clientWidth),
        height,
        series,
        bands,
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
        scales: {
          x: {
            time: false,
            range: (self, lo, hi) =>
              self.data[0].length && lo === self.data[0][0] && hi === self.data[0].at(-1) ? [left, right] : [lo, hi],
          },
          y: { range: () => yRange },
        },
        axes: [axis(spec.x, ink, grid, { size: 40 }), axis(spec.y, ink, grid, { size: 62 })],
        hooks: { drawAxes: [drawDots], setScale: [() => (mark.hidden = true)] },
      },
      data,
      area,
    );
    u.over.append(mark);
    let down = 0;
    u.over.addEventListener('mousedown', (e) => (down = e.clientX));
    u.over.addEventListener('click', (e) => {
      if (Math.abs(e.clientX - down) > 3) return; // the end of a zoom
      const k = nearest(u.cursor.left, u.cursor.top);
      if (k >= 0) {
        tell(k);
        open(points[k][2]);
      }
    });
    u.over.addEventListener('mousemove', () => {
      const k = nearest(u.cursor.left, u.cursor.top);
      u.over.style.cursor = k >= 0 ? 'pointer' : 'crosshair';
      if (k >= 0 && k !== current) tell(k);
    });
    legend.replaceChildren(
      ...[...spec.lines, ...dots]
        .filter((l) => !l.quiet && !l.thin)
        .map((l) =>
          el(
            'li',
            {},
            el('span', {
              class: l.dotted ? 'swatch dotted' : 'swatch',
              style: `border-color: var(--s${l.style % palette})`,
            }),
            l.label,
          ),
        ),
    );
  };
  const watch = new ResizeObserver(() => u && u.setSize({ width: Math.max(280, area.clientWidth), height }));
  return {
    figure,
    start() {
      make();
      watch.observe(area);
    },
    redraw() {
      u?.destroy();
      make();
    },
    destroy() {
      watch.disconnect();
      u?.destroy();
    },
  };
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
          a.words ? a.words[v] : (a.format ?? (a.share ? (s) => `${(100 * s).toFixed(1)} %` : num))(v);
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
