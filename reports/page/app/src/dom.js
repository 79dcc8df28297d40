// Elements, made without markup in strings: names come from users.

/**
 * @param {string} tag
 * @param {Record<string, any>} attributes on…: listeners; properties where the element has them, else attributes
 * @param {...(Node|string|null|undefined|false)} children
 */
export function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else if (key === 'class') e.className = value;
    else e.setAttribute(key, value === true ? '' : value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

/** A labelled choice of one. */
export function choice(label, values, chosen, onchange) {
  const select = el('select', { onchange: () => onchange(select.value) });
  for (const v of values)
    select.append(el('option', { value: v.value ?? v, selected: (v.value ?? v) === chosen }, v.label ?? v));
  return el('label', { class: 'field' }, `${label} `, select);
}

let live;

/** Tells readers of the screen. */
export function announce(text) {
  live ??= document.getElementById('live');
  live.textContent = text;
}
