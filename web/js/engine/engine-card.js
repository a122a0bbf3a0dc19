import { card, controls } from '../shared/controls/card.js';
import { counter } from '../shared/controls/counter.js';
import { loadBar } from '../shared/controls/load-bar.js';
import { element } from '../shared/drawing/element.js';
import { containerTitle } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

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
