// The filters' form: it changes the address, and shows what the address says.

import { choice, el } from './dom.js';
import { describe, filtered, filters, none, viewName } from './state.js';

/**
 * Fills the form for problem p.
 * @param {HTMLElement} area
 * @param {() => import('./state.js').State} current
 * @param {(change: Partial<import('./state.js').State>) => void} go
 */
export function controls(area, p, current, go) {
  const number = (key, label, otherwise) => {
    const input = el('input', {
      type: 'number',
      min: 0,
      inputmode: 'numeric',
      onchange: () => go({ [key]: input.value === '' ? otherwise : Number(input.value) }),
    });
    input.dataset.key = key;
    return el('label', { class: 'field' }, `${label} `, input);
  };
  const folded = el('summary', {}, 'Filters');
  area.replaceChildren(
    el(
      'details',
      { class: 'fold', open: !matchMedia('(max-width: 640px)').matches },
      folded,
    el(
      'form',
      { class: 'filters', 'aria-label': 'Filters', onsubmit: (e) => e.preventDefault() },
      Object.assign(
        choice(
          'Compared with',
          p.views.map((v) => ({
            value: viewName(v),
            label: `${v.reference}, by ${v.difference ? 'regret' : 'ratio'}`,
          })),
          current().view,
          (view) => go({ view }),
        ),
        { id: 'view' },
      ),
      ...filters.map((f) => {
        const words = [...new Set(f.words(p))].sort().map((w) => w || none);
        if (words.length < 2) return null;
        const boxes = words.map((w) =>
          el(
            'label',
            {},
            el('input', {
              type: 'checkbox',
              value: w,
              'data-filter': f.key,
              onchange: () =>
                go({
                  words: {
                    ...current().words,
                    [f.key]: boxes
                      .map((b) => b.firstChild)
                      .filter((b) => b.checked)
                      .map((b) => b.value),
                  },
                }),
            }),
            ` ${w}`,
          ),
        );
        return el(
          'details',
          { class: 'filter', 'data-filter': f.key },
          el('summary', {}),
          el('fieldset', {}, el('legend', { class: 'visually-hidden' }, f.label), ...boxes),
        );
      }),
      number('min', 'Jobs from', 0),
      number('max', 'to', Infinity),
      el(
        'button',
        {
          type: 'button',
          id: 'clear',
          onclick: () => go({ words: Object.fromEntries(filters.map((f) => [f.key, []])), min: 0, max: Infinity }),
        },
        'Clear filters',
      ),
    ),
    ),
  );
}

/** Shows the state in the controls. */
export function refresh(area, s) {
  for (const box of area.querySelectorAll('input[type=checkbox]'))
    box.checked = s.words[box.dataset.filter].includes(box.value);
  for (const d of area.querySelectorAll('details.filter')) {
    const f = filters.find((x) => x.key === d.dataset.filter);
    const n = s.words[f.key].length;
    d.firstChild.textContent = `${f.label}: ${n === 0 ? 'all' : n === 1 ? s.words[f.key][0] : `${n} chosen`}`;
  }
  for (const input of area.querySelectorAll('input[type=number]')) {
    const x = s[input.dataset.key];
    const shown = x > 0 && x < Infinity ? String(x) : '';
    // What is being typed is not taken away by a change elsewhere that is shown late.
    const typing = input === document.activeElement && input.value !== (input.dataset.shown ?? '');
    if (!typing || input.value === shown) input.value = input.dataset.shown = shown;
  }
  const view = area.querySelector('#view select');
  view.value = s.view;
  area.querySelector('.fold > summary').textContent = filtered(s) ? describe(s) : 'Filters';
  area.querySelector('#clear').disabled = !filtered(s);
}
