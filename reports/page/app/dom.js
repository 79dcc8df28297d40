// Elements, made without markup in strings: names come from users.

/** An element; attributes on…: listeners. */
function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? '' : value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

/** An SVG element. */
function svg(tag, attributes = {}, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

/** A labelled choice of one; options are [value, label]. */
function choice(label, options, chosen, onchange) {
  const select = el('select', { onchange: () => onchange(select.value) });
  for (const [value, text] of options) select.append(el('option', { value, selected: value === chosen }, text));
  return el('label', {}, `${label} `, select);
}

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

const live = el('p', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

/** Tells readers of the screen. */
function announce(text) {
  live.textContent = text;
}

/** A button that copies a text. */
function copier(source, what) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(source.dataset.copy ?? source.textContent);
    } catch {
      // not allowed for this page; the old way needs a selection
      getSelection().selectAllChildren(source);
      document.execCommand('copy');
    }
    announce(`The ${what} is copied.`);
  };
  return el('button', { type: 'button', 'aria-label': `Copy the ${what}`, onclick: copy }, 'Copy');
}

function save(text, type, name) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const a = el('a', { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const plainName = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
