import { card, controls } from '../shared/controls/card.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { containerTitle } from '../shared/tree/tree.js';
import { readoutText } from '../shared/numbers/units.js';
import { roles } from '../shared/tree/roles.js';

/** Load above which the bar is highlighted, as a share of a period. */
const highLoad = 0.8;

/** State of the engine: loads, counts of lost blocks and messages, and the rest of its readouts. */
export default { topic: 'engine', needs: [roles.load], shows: [roles.load, roles.count], owns: 'container', make: engineCard };

function engineCard(page, [{ parent: container }]) {
  const loads = page.root.findAll(roles.load).filter((node) => node.parent === container);
  const counts = page.root.findAll(roles.count).filter((node) => node.parent === container);
  return card(containerTitle(container), container.description,
    element('div', { class: 'loads' }, loads.map((node) => loadBar(page, node))),
    element('dl', { class: 'counts' }, counts.map((node) => counter(page, node))),
    controls(page, container),
    element('p', { class: 'card-more' }, element('a', { href: '/telemetry' }, 'Telemetry over time')));
}

/** The load of a node as a bar and in percent. */
export function loadBar(page, node) {
  const number = element('span', { class: 'load-number' }, '–');
  const fill = element('div', { class: 'load-fill' });
  const bar = element('div', {
    class: 'load', role: 'meter', 'aria-label': node.title, 'aria-valuemin': 0, 'aria-valuemax': 100,
  }, fill);
  page.watch(node, ([share]) => {
    const percent = Math.round(share * 100);
    setText(number, `${percent} %`);
    setAttribute(bar, 'aria-valuenow', percent);
    fill.style.transform = `scaleX(${Math.min(1, share)})`;
    bar.classList.toggle('is-high', share > highLoad);
  });
  return element('div', { class: 'load-row', title: node.help },
    element('span', { class: 'readout-title' }, node.title), bar, number);
}

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
