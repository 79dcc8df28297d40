// The dot strip, the one figure that the page draws: a row an algorithm, a dot an instance. Places on the axis are shares of it,
// and all texts are those of the report.

const golden = 0.6180339887498949;
const colours = 15; // as in package plots
const stroke = (style) => `var(--s${style % colours})`;

const markPath = [
  (x, y, r) => `M${x + r} ${y}A${r} ${r} 0 1 1 ${x - r} ${y}A${r} ${r} 0 1 1 ${x + r} ${y}Z`,
  (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}Z`,
  (x, y, r) => `M${x} ${y - 1.3 * r}L${x + 1.2 * r} ${y + 0.9 * r}H${x - 1.2 * r}Z`,
];

const pen = document.createElement('canvas').getContext('2d');
const figureFont = '"Liberation Sans", Arial, "DejaVu Sans", sans-serif';

/** How wide a text of the strip is in the reader's font. */
const widthOf = (text, weight = 400) => {
  pen.font = `${weight} 12px ${figureFont}`;
  return pen.measureText(text).width;
};

/** A text, cut in its middle if it is wider than the room. */
const fitted = (name, room, weight) => {
  let cut = name;
  for (let most = name.length - 1; most > 2 && widthOf(cut, weight) > room; most--) {
    const head = Math.floor((most - 1) / 3);
    cut = `${name.slice(0, head)}…${name.slice(head + 1 - most)}`;
  }
  return cut;
};

/**
 * Puts the strip into a figure, in the place of the picture there.
 * @param {Element} figure
 * @param {{axis: string, ticks: [number, string][], rows: {label: string, style: number, mean: number, says: string,
 *   ci: [number, number]|null, worst: number, name: string, dots: [number, number, number, string][]}[]}} strip
 * @param {(instance: number, label: string) => void} open
 * @param {(instance: number) => string} nameOf
 */
function drawStrip(figure, strip, hidden, open, nameOf) {
  const tip = el('div', { class: 'tip', hidden: true });
  const canvas = el('div', { class: 'canvas' });
  const title = figure.querySelector('svg').getAttribute('aria-label');
  const area = el('div', { class: 'plot', tabindex: 0, role: 'group', 'aria-label': `${title}. Arrow keys go from point to point, Enter opens the instance.` }, canvas, tip);
  figure.querySelector('svg').replaceWith(area);
  let points = [];
  let current = -1;
  let mark;

  function draw() {
    const w = Math.max(280, area.clientWidth);
    const rows = strip.rows.filter((r) => !hidden().has(r.label));
    const narrow = w < 560;
    const right = 14;
    const left = narrow ? 10 : 16 + Math.min(0.4 * w, Math.max(...rows.map((r) => widthOf(r.label, 600))));
    // where the label and the worst instance have no room beside each other, they are two lines of all rows
    const two = narrow && rows.some((r) => widthOf(r.label, 600) + 12 + widthOf(r.name) > w - left - right);
    const head = narrow ? (two ? 28 : 14) : 0;
    const lane = narrow ? 30 + head : 34;
    const h = lane * rows.length + 46;
    const at = (share) => Math.round(10 * (left + share * (w - left - right))) / 10;
    const out = svg('svg', { width: w, height: h, role: 'img', 'aria-label': title });
    const text = (attributes, s) => out.append(svg('text', { 'font-size': 12, fill: 'var(--ink)', 'paint-order': 'stroke', stroke: 'var(--paper)', 'stroke-width': 4, ...attributes }, s));
    const path = (d, attributes) => out.append(svg('path', { d, fill: 'none', ...attributes }));
    let free = -Infinity;
    for (const [share, label] of strip.ticks) {
      path(`M${at(share)} 6V${h - 38}`, { stroke: 'var(--grid)' });
      if (at(share) - 3.4 * label.length < free) continue;
      text({ x: at(share), y: h - 23, 'text-anchor': 'middle' }, label);
      free = at(share) + 3.4 * label.length + 8;
    }
    path(`M${at(strip.zero)} 6V${h - 38}`, { stroke: 'var(--ink)', 'stroke-width': 1.2 });
    text({ x: (left + w - right) / 2, y: h - 5, 'text-anchor': 'middle' }, strip.axis);
    points = [];
    rows.forEach((r, k) => {
      const top = 6 + k * lane + head;
      const height = lane - (narrow ? head + 2 : 4);
      const y = top + height / 2;
      const half = height * 0.36;
      const color = stroke(r.style);
      if (k) path(`M0 ${6 + k * lane}H${w}`, { stroke: 'var(--grid)', 'stroke-width': 0.6 });
      if (narrow) text({ x: left, y: top - (two ? 16 : 2), 'font-weight': 600 }, fitted(r.label, w - left - right, 600));
      else text({ x: left - 8, y: y + 4, 'text-anchor': 'end', 'font-weight': 600 }, fitted(r.label, left - 16, 600));
      let bars = '';
      let dots = '';
      const shape = markPath[((r.style % colours) + Math.floor(r.style / colours)) % markPath.length];
      r.dots.forEach(([lo, hi, instance, says], i) => {
        const place = { x: at(hi), y: Math.round(10 * (y + half * (1.7 * ((i * golden) % 1) - 0.85))) / 10 };
        if (lo !== hi) bars += `M${at(lo)} ${place.y}H${place.x}`;
        dots += shape(place.x, place.y, r.dots.length > 200 ? 1.8 : 2.6);
        points.push({ ...place, instance, label: r.label, text: `${nameOf(instance)}: ${says}` });
      });
      path(bars, { stroke: color, 'stroke-width': 2, 'stroke-opacity': 0.35 });
      path(dots, { fill: color, 'fill-opacity': r.dots.length > 60 ? 0.55 : 0.75 });
      if (r.ci) path(`M${at(r.ci[0])} ${y}H${at(r.ci[1])}M${at(r.ci[0])} ${y - 4}v8M${at(r.ci[1])} ${y - 4}v8`, { stroke: 'var(--ink)', 'stroke-width': 2 });
      if (r.mean !== null) {
        path(`M${at(r.mean)} ${y - half}v${2 * half}`, { stroke: 'var(--paper)', 'stroke-width': 5 });
        path(`M${at(r.mean)} ${y - half}v${2 * half}`, { stroke: 'var(--ink)', 'stroke-width': 2.6 });
        points.push({ x: at(r.mean), y, instance: -1, label: r.label, text: `mean ${r.says}` });
      }
      const beside = at(r.worst) + 8;
      if (narrow) text({ x: two ? left : w - right, y: top - 2, 'text-anchor': two ? 'start' : 'end', fill: 'var(--muted)' }, fitted(r.name, w - left - right));
      else if (beside + widthOf(r.name) < w) text({ x: beside, y: y + 4, fill: 'var(--muted)' }, r.name);
      else text({ x: w - right, y: y + 4, 'text-anchor': 'end', fill: 'var(--muted)' }, fitted(r.name, w - left - right));
    });
    mark = svg('circle', { r: 6, fill: 'none', stroke: 'var(--ink)', 'stroke-width': 2, visibility: 'hidden' });
    out.append(mark);
    canvas.replaceChildren(out);
    current = -1;
    tip.hidden = true;
  }

  function tell(k) {
    current = k;
    const p = points[k];
    tip.replaceChildren(el('strong', {}, p.label), el('br'), p.text);
    tip.hidden = false;
    tip.style.left = `${Math.max(0, Math.min(area.clientWidth - tip.offsetWidth, p.x - tip.offsetWidth / 2))}px`;
    tip.style.top = `${p.y > tip.offsetHeight + 14 ? p.y - tip.offsetHeight - 10 : p.y + 14}px`;
    for (const [name, value] of Object.entries({ cx: p.x, cy: p.y, visibility: 'visible' })) mark.setAttribute(name, value);
    announce(`${p.label}: ${p.text}`);
  }
  function forget() {
    tip.hidden = true;
    mark.setAttribute('visibility', 'hidden');
  }
  const choose = (k) => points[k]?.instance >= 0 && open(points[k].instance, points[k].label);
  const under = (e) => {
    const box = canvas.getBoundingClientRect();
    let [best, least] = [-1, 16 ** 2];
    points.forEach((p, k) => {
      const d = (p.x - e.clientX + box.left) ** 2 + (p.y - e.clientY + box.top) ** 2;
      if (d < least) [best, least] = [k, d];
    });
    return best;
  };
  area.addEventListener('keydown', (e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[e.key];
    const way = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step && points.length) tell(Math.max(0, Math.min(points.length - 1, current + step)));
    else if (way && points.length) {
      let k = Math.max(0, current); // to the next or previous row
      const { label } = points[k];
      while (points[k]?.label === label) k += way;
      if (points[k]) tell(k);
    } else if (e.key === 'Enter') return void choose(current);
    else if (e.key === 'Escape') return void forget();
    else return;
    e.preventDefault();
  });
  canvas.addEventListener('pointermove', (e) => {
    const k = under(e);
    canvas.style.cursor = points[k]?.instance >= 0 ? 'pointer' : '';
    if (k < 0) forget();
    else if (k !== current || tip.hidden) tell(k);
  });
  canvas.addEventListener('pointerleave', forget);
  canvas.addEventListener('click', (e) => choose(under(e)));
  let width = 0;
  new ResizeObserver(() => {
    if (area.clientWidth === 0 || area.clientWidth === width) return;
    width = area.clientWidth;
    requestAnimationFrame(draw); // a drawing changes the page's height, and with it perhaps the width that is being reported
  }).observe(area);
  return () => area.clientWidth > 0 && draw();
}
