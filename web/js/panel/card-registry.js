import { claimRoles } from '../shared/controls/displayed-roles.js';
import { topics } from './views.js';

/**
 * Loads cards. The default export of each module describes one:
 *
 * - `topic`: the page that shows the card, one of `topics`;
 * - `needs`: roles that the tree must have for the card to appear;
 * - `shows`: roles that the card displays, so that they get no generic control; the needed ones unless given;
 * - `owns`: `'container'` when the card replaces the generic card of the first needed role's container, `'subtree'` when it
 *   also replaces those of all containers below;
 * - `isWide`: whether the card takes the whole width, above the columns;
 * - `make(page, nodes, context)`: returns the element, or null for no card. `nodes` holds the first node of each needed role,
 *   `context` is `{ listener, listeners, world, notices, memory, midi, listen, choose }`; `choose(name)` shows another listener.
 */
export async function registerCards(...modules) {
  const cards = (await Promise.all(modules)).map((module) => module.default);
  for (const card of cards) {
    if (!topics.includes(card.topic)) throw new Error(`A card names the page “${card.topic}”; there are ${topics.join(', ')}.`);
    claimRoles(...card.shows ?? card.needs);
  }
  return cards;
}

/** The cards that the tree has nodes for, as `{ topic, isWide, make }`; `make()` returns the element, or null for no card. */
export function cardsOf(cards, page, context) {
  const nodes = ({ needs }) => needs.map((role) => page.root.find(role));
  return cards.filter((card) => !nodes(card).includes(null)).map((card) => ({
    topic: card.topic, isWide: card.isWide ?? false, make: () => card.make(page, nodes(card), context),
  }));
}

/** Whether a card replaces the generic card of a container. */
export function isOwned(cards, root, container) {
  return cards.filter((card) => card.owns).some((card) => root.findAll(card.needs[0]).some(({ parent }) =>
    (card.owns === 'subtree' ? container.isWithin(parent) : container === parent)));
}
