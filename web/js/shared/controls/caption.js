import { element } from '../drawing/element.js';

/** Title and help of a control: a label of the field `for`, or a text with an `id`. */
export function caption(node, { for: field, id } = {}) {
  return element('div', { class: 'caption' },
    element(field ? 'label' : 'span', { class: 'label', for: field, id }, node.title),
    node.help ? element('p', { class: 'help' }, node.help) : null);
}
