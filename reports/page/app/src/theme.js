// The colour scheme: that of the reader's system unless the reader chooses one here.

import { el } from './dom.js';

const names = { '': 'Colours: system', light: 'Colours: light', dark: 'Colours: dark' };
const key = 'schedgap-theme';

function remembered() {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    // pages opened from a file may have no storage
    return '';
  }
}

function remember(name) {
  try {
    localStorage.setItem(key, name);
  } catch {
    // then the choice lasts as long as the page is open
  }
}

/** The button that goes round the schemes. */
export function theme() {
  const order = Object.keys(names);
  const set = (name) => {
    document.documentElement.dataset.theme = name;
    button.textContent = names[name];
  };
  const button = el('button', {
    type: 'button',
    id: 'theme',
    onclick: () => {
      const next = order[(order.indexOf(document.documentElement.dataset.theme) + 1) % order.length];
      set(next);
      remember(next);
    },
  });
  set(order.includes(remembered()) ? remembered() : '');
  return button;
}
