import { element } from '../drawing/element.js';
import { icon } from '../drawing/icons.js';
import { readoutText } from '../numbers/units.js';

/** A count that is highlighted above zero. */
export function counter(page, node) {
  const number = element('dd', {}, '0');
  const tile = element('div', { class: 'count', title: node.help }, element('dt', {}, node.title), number);
  page.watch(node, ([count]) => {
    tile.classList.toggle('is-raised', count > 0);
    number.replaceChildren(...(count > 0 ? [icon('warning', 18)] : []), readoutText(count ?? 0));
  });
  return tile;
}
