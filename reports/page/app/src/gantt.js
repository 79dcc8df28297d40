// Drawings of solutions, two below each other on one scale.

import { el, svg, table } from './dom.js';
import { value } from './format.js';

const lane = 22;
const left = 110;
const width = 760;

const hue = (label) => {
  const job = label.split('/')[0]; // cloning labels its copies job/phase
  let h = 0;
  for (const c of job) h = (h * 31 + c.codePointAt(0)) % 6;
  return h;
};

/**
 * @param {string} title
 * @param {{axis: string, bars: [string, string, number, number, number][]}} chart
 * @param {number} end of the common scale
 * @param {string[]} lanes in their common order
 */
function drawing(title, chart, start, end, lanes) {
  const at = (t) => left + ((t - start) / (end - start || 1)) * (width - left - 10);
  const most = Math.max(...chart.bars.map((b) => b[4]));
  const byLane = chart.bars.every((b) => b[1] === chart.bars[0][1]); // the lane says it all
  const height = lanes.length * lane + 30;
  const out = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title, class: 'gantt' });
  lanes.forEach((name, k) => {
    const text = svg(
      'text',
      { x: left - 8, y: k * lane + 15, 'text-anchor': 'end' },
      name.length > 15 ? `${name.slice(0, 14)}…` : name,
    );
    out.append(text, svg('line', { x1: left, x2: width - 10, y1: (k + 1) * lane, y2: (k + 1) * lane, class: 'rule' }));
  });
  for (const [name, label, from, to, amount] of chart.bars) {
    const thick = Math.max(3, (amount / most) * (lane - 4));
    const y = (lanes.indexOf(name) + 1) * lane - 2 - thick;
    const bar = svg(
      'rect',
      {
        x: at(from),
        y,
        width: Math.max(1, at(to) - at(from)),
        height: thick,
        fill: `var(--s${hue(byLane ? name : label)})`,
        class: 'bar',
      },
      svg('title', {}, `${name}: ${value(amount)} ${label}, ${value(from)} to ${value(to)}`),
    );
    out.append(bar);
    const text = byLane ? value(amount) : label;
    if (at(to) - at(from) > 7 * text.length && thick > 11) {
      out.append(svg('text', { x: at(from) + 4, y: y + thick / 2 + 4, class: 'inside' }, text));
    }
  }
  for (let k = 0; k <= 4; k++) {
    const t = start + ((end - start) * k) / 4;
    out.append(
      svg(
        'text',
        { x: at(t), y: lanes.length * lane + 15, 'text-anchor': k === 4 ? 'end' : 'middle' },
        value(Number(t.toPrecision(4))),
      ),
    );
  }
  out.append(svg('text', { x: width - 10, y: height - 2, 'text-anchor': 'end' }, chart.axis));
  return out;
}

/**
 * Draws solutions of one instance for comparison.
 * @param {{title: string, chart: any}[]} list
 */
export function compare(list) {
  const bars = list.flatMap((d) => d.chart.bars);
  const start = Math.min(0, ...bars.map((b) => b[2]));
  const end = Math.max(...bars.map((b) => b[3]));
  const lanes = [...new Set(bars.map((b) => b[0]))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return el(
    'div',
    {},
    ...list.flatMap((d) => [
      el('h4', {}, d.title),
      drawing(d.title, d.chart, start, end, lanes),
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
}
