import { element } from './element.js';

/** What a control is called and what it does; a label of the field `for`, or a text with an `id` to be referred to. */
export function caption(node, { for: field, id } = {}) {
  return element('div', { class: 'caption' },
    element(field ? 'label' : 'span', { class: 'label', for: field, id }, node.title),
    node.help ? element('p', { class: 'help' }, node.help) : null);
}
