// Files that readers take along: drawings as SVG and PNG, tables as CSV.

import { el } from './dom.js';

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const a = el('a', { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The colour that a custom property stands for, in the light scheme if so wanted. */
function color(name, light = false) {
  const probe = document.body.appendChild(
    el('span', { style: `color: var(--${name})${light ? '; color-scheme: light' : ''}` }),
  );
  const c = getComputedStyle(probe).color;
  probe.remove();
  return c;
}

const plain = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');

/** A drawing as a document of its own, in the colours of the light scheme, with its title. */
export function alone(drawing, title) {
  const copy = drawing.cloneNode(true);
  for (const e of copy.querySelectorAll('.transient')) e.remove();
  const [width, height] = [Number(copy.getAttribute('width')), Number(copy.getAttribute('height'))];
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 -26 ${width} ${height + 26}`);
  copy.setAttribute('height', height + 26);
  copy.setAttribute('font-family', 'Liberation Sans, Arial, Helvetica, sans-serif');
  copy.setAttribute('font-size', '12');
  const head = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  head.setAttribute('x', 6);
  head.setAttribute('y', -9);
  head.setAttribute('fill', 'var(--ink)');
  head.setAttribute('font-weight', 'bold');
  head.textContent = title;
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [k, v] of Object.entries({ x: 0, y: -26, width, height: height + 26, fill: 'var(--paper)' })) paper.setAttribute(k, v);
  copy.prepend(paper, head);
  const known = new Map();
  return new XMLSerializer().serializeToString(copy).replace(/var\(--([\w-]+)\)/g, (_, name) => {
    if (!known.has(name)) known.set(name, color(name, true));
    return known.get(name);
  });
}

export const saveSVG = (drawing, name, title) =>
  save(new Blob([alone(drawing, title)], { type: 'image/svg+xml' }), `${plain(name)}.svg`);

/** Draws at twice the size, for print. */
export function savePNG(drawing, name, title) {
  const image = new Image();
  image.onload = () => {
    const canvas = el('canvas', { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, `${plain(name)}.png`), 'image/png');
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(alone(drawing, title))}`;
}

/** A cell of a CSV file (RFC 4180); text that a spreadsheet would take for a formula gets a mark in front. */
function cell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @param {string[][]} rows the head first */
export const csv = (rows) => rows.map((r) => r.map(cell).join(',')).join('\r\n') + '\r\n';

export const saveCSV = (title, rows) => save(new Blob([csv(rows)], { type: 'text/csv' }), `${plain(title)}.csv`);
