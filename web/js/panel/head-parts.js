import { element, uniqueId } from '../shared/drawing/element.js';

const parts = { ring: 'Ring', details: 'Details' };

/** A choice for phones, where the ring and the cards that belong to the head are shown one at a time. */
export function headParts(body = document.body) {
  const name = uniqueId('part');
  const choose = (part) => { body.dataset.part = part; };
  return element('div', { class: 'segments head-parts', role: 'radiogroup', 'aria-label': 'Part of the page' },
    Object.entries(parts).map(([part, title]) => element('label', { class: 'segment' },
      element('input', {
        type: 'radio', name, value: part, checked: part === (body.dataset.part ?? 'ring'), onchange: () => choose(part),
      }),
      element('span', {}, title))));
}
