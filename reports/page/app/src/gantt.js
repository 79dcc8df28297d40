// Drawings of solutions, two below each other on one scale.

import { linear } from './axes.js';
import { el, svg } from './dom.js';
import { middle, value } from './format.js';
import { table } from './table.js';

const palette = 15;

/** One colour a job: the palette first, and from then on hues by the golden angle, which no two jobs share. */
function colours(jobs) {
  return new Map(
    jobs.map((job, k) => [
      job,
      k < palette
        ? { fill: `var(--s${k})` }
        : { fill: `oklch(0.62 0.14 ${((k * 137.508) % 360).toFixed(1)})` },
    ]),
  );
}

/** What a bar is of: the job that the chart names, else its lane. */
const jobOf = (b) => b[5] || b[0];

let hatches = 0;

/** Stripes of the page's own colour over the bars of clones. */
function hatch() {
  const id = `hatch${++hatches}`;
  const stripes = svg('pattern', { id, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(-45)' });
  stripes.append(svg('rect', { width: 5, height: 1.4, fill: 'var(--paper)' }));
  return [svg('defs', {}, stripes), `url(#${id})`];
}

/** How clones look, for the legend. */
function swatch() {
  const [defs, fill] = hatch();
  const box = { width: 20, height: 11 };
  return svg('svg', { ...box, 'aria-hidden': 'true' }, defs, svg('rect', { ...box, fill: 'var(--muted)' }), svg('rect', { ...box, fill }));
}

/**
 * @param {{axis: string, bars: [string, string, number, number, number, string, number, boolean][]}} chart bars as in page/data.go
 * @param {string[]} lanes in their common order
 * @param {number} most the amount that a lane has room for
 * @param {number} lane its height in pixels
 */
function drawing(title, chart, start, end, lanes, most, lane, colour, width) {
  const left = Math.min(150, 16 + 7 * Math.max(...lanes.map((l) => Math.min(l.length, 18))));
  const right = 14;
  const at = (t) => left + ((t - start) / (end - start || 1)) * (width - left - right);
  const byLane = chart.bars.every((b) => b[1] === chart.bars[0][1]); // the lane says it all
  const height = lanes.length * lane + 40;
  const out = svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': title, class: 'gantt' });
  const [defs, stripes] = hatch();
  out.append(defs);
  const whole = chart.bars.every((b) => Number.isInteger(b[2]) && Number.isInteger(b[3]));
  const text = (attributes, s) => out.append(svg('text', attributes, s));
  for (const t of linear(start, end, whole, Math.max(2, width / 110))) {
    out.append(svg('line', { x1: at(t), x2: at(t), y1: 0, y2: lanes.length * lane, class: 'rule' }));
    text({ x: at(t), y: lanes.length * lane + 16, 'text-anchor': 'middle' }, value(t));
  }
  lanes.forEach((name, k) => {
    text({ x: left - 8, y: (k + 0.5) * lane + 4, 'text-anchor': 'end' }, middle(name, 18));
    out.append(svg('line', { x1: left, x2: width - right, y1: (k + 1) * lane, y2: (k + 1) * lane, class: 'rule' }));
  });
  for (const b of chart.bars) {
    const [name, label, from, to, amount, , below, clone] = b;
    const thick = Math.max(2, (amount / most) * (lane - 4));
    const y = (lanes.indexOf(name) + 1) * lane - 2 - (below / most) * (lane - 4) - thick;
    const { fill } = colour.get(jobOf(b));
    const box = { x: at(from), y, width: Math.max(1, at(to) - at(from)), height: thick };
    const what = b[5] ? `${label}, ${value(amount)} of the lane` : `${value(amount)} ${label}`;
    out.append(
      svg('rect', { ...box, class: 'bar', style: `fill: ${fill}` }, svg('title', {}, `${name}: ${what}, ${value(from)} to ${value(to)}`)),
    );
    if (clone) out.append(svg('rect', { ...box, fill: stripes, 'pointer-events': 'none' }));
    const words = byLane ? value(amount) : label;
    const room = Math.floor((box.width - 8) / 6.4);
    const shown = words.length <= room || (room >= 5 && !byLane) ? middle(words, room) : '';
    // on a plate of the page's own colour, so that it can be read on every hue
    if (shown && thick > 12) {
      out.append(
        svg('rect', { x: box.x + 2, y: y + thick / 2 - 7, width: 6.4 * shown.length + 4, height: 14, rx: 2, class: 'plate' }),
        svg('text', { x: box.x + 4, y: y + thick / 2 + 4, class: 'inside' }, shown),
      );
    }
  }
  text({ x: (left + width - right) / 2, y: height - 6, 'text-anchor': 'middle' }, chart.axis);
  return out;
}

/**
 * Draws solutions of one instance for comparison.
 * @param {{title: string, chart: any}[]} list
 */
export function compare(list) {
  const bars = list.flatMap((d) => d.chart.bars);
  const order = (a, b) => a.localeCompare(b, 'en', { numeric: true });
  const start = Math.min(0, ...bars.map((b) => b[2]));
  const end = Math.max(...bars.map((b) => b[3]));
  const lanes = [...new Set(bars.map((b) => b[0]))].sort(order);
  const jobs = [...new Set(bars.map(jobOf))].sort(order);
  const colour = colours(jobs);
  const most = Math.max(...list.map((d) => d.chart.height));
  const lane = 24 * (1 + 0.6 * (Math.min(8, Math.max(...list.map((d) => d.chart.levels))) - 1));
  const clones = bars.some((b) => b[7]);
  const legend =
    (clones || jobs.some((j) => !lanes.includes(j))) &&
    el(
      'ul',
      { class: 'legend' },
      clones && el('li', {}, swatch(), '\u00a0clones'),
      ...jobs.slice(0, 60).map((j) => el('li', {}, el('span', { class: 'patch', style: `background: ${colour.get(j).fill}` }), j)),
    );
  const area = el('div', { class: 'gantts' });
  const draw = () => {
    const width = Math.max(320, Math.floor(area.clientWidth) || 760);
    area.replaceChildren(
      ...list.flatMap((d) => [
        el('h4', {}, d.title),
        el('div', { class: 'table' }, drawing(d.title, d.chart, start, end, lanes, most, lane, colour, width)),
        el(
          'details',
          {},
          el('summary', {}, 'In numbers'),
          table({
            title: d.title,
            text: 2,
            head: ['lane', 'what', 'from', 'to', 'amount'],
            rows: d.chart.bars.map((b) => ({ cells: [b[0], b[1], value(b[2]), value(b[3]), value(b[4])] })),
          }),
        ),
      ]),
    );
  };
  draw();
  let last = 0;
  new ResizeObserver(() => {
    if (Math.abs(area.clientWidth - last) < 2) return;
    last = area.clientWidth;
    requestAnimationFrame(draw);
  }).observe(area);
  return el('div', {}, legend, area);
}
