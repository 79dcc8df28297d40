// The colour scheme: that of the reader's system unless the reader chooses one here.

const schemes = { '': 'Colours: system', light: 'Colours: light', dark: 'Colours: dark' };
const themeKey = 'schedgap-theme';

/** The button that goes round the schemes. */
function theme() {
  const order = Object.keys(schemes);
  const set = (name) => {
    document.documentElement.dataset.theme = name;
    button.textContent = schemes[name];
  };
  const button = el('button', {
    type: 'button',
    id: 'theme',
    onclick: () => {
      set(order[(order.indexOf(document.documentElement.dataset.theme) + 1) % order.length]);
      try {
        localStorage.setItem(themeKey, document.documentElement.dataset.theme);
      } catch {
        // pages opened from a file may have no storage: the choice lasts as long as the page is open
      }
    },
  });
  let remembered = '';
  try {
    remembered = localStorage.getItem(themeKey) ?? '';
  } catch {
    // no storage
  }
  set(order.includes(remembered) ? remembered : '');
  return button;
}
