import { openAtFirst } from '../shared/controls/card.js';
import { element } from '../shared/drawing/element.js';
import { cardsOf } from './card-registry.js';
import { genericCardsOf } from './generic-cards.js';
import { topics } from './views.js';

/**
 * The pages that the tree has cards for, as a map from topics to functions that make the elements of a page.
 *
 * Cards are made when their page is first shown. Most pages of a visit never are, and each element that exists costs time in all later
 * work of the browser, above all for screen readers.
 */
export function pagesOf(cards, page, context) {
  const all = [...cardsOf(cards, page, context), ...genericCardsOf(cards, page, context)];
  const cardsOn = (topic) => all.filter((card) => card.topic === topic);
  return new Map(topics.filter((topic) => cardsOn(topic).length > 0).map((topic) => [topic, () => elementsOf(cardsOn(topic))]));
}

/** The elements of one page: wide cards, then all others in columns. */
function elementsOf(cards) {
  const made = cards.map(({ isWide, make }) => [make(), isWide]).filter(([shown]) => shown);
  const above = made.filter(([, isWide]) => isWide).map(([shown]) => shown);
  const columns = made.filter(([, isWide]) => !isWide).map(([shown]) => shown);
  if (columns.length === 0) return above;
  const isOpenAbove = above.some((each) => !each.matches('.cards'));
  if (!isOpenAbove && columns[0].matches('.card:not(.levels)')) openAtFirst(columns[0]);
  return [...above, element('div', { class: 'cards' }, columns)];
}
