import { control } from './control.js';
import { controlKind, genericNodes } from './control-kind.js';
import { element, uniqueId } from '../drawing/element.js';
import { icon } from '../drawing/icons.js';
import { containerTitle } from '../tree/tree.js';

/** Order of controls: settings, then actions, readouts, and last vectors, which few people set number by number. */
const order = [
  'segments', 'select', 'slider', 'number', 'switch', 'text', 'row', 'button', 'progress', 'readout', 'vector'];

/** Titles of the cards that were opened or folded, and whether each is open. */
const folds = new Map();

/**
 * A titled part of the page.
 *
 * On a phone it folds to its title; the first of a page is open until it is folded.
 */
export function card(title, help, ...children) {
  const id = uniqueId('card');
  const fold = element('button', {
    type: 'button', class: 'card-fold', 'aria-labelledby': id, onclick: () => show(fold.getAttribute('aria-expanded') !== 'true'),
  }, icon('chevron', 20));
  const made = element('section', { class: 'card', 'aria-labelledby': id },
    element('header', { class: 'card-head' },
      element('h2', { id }, title), help ? element('p', { class: 'help' }, help) : null, fold),
    ...children);
  const show = (isOpen) => {
    folds.set(title, isOpen);
    made.classList.toggle('is-open', isOpen);
    made.classList.toggle('is-folded', !isOpen);
    fold.setAttribute('aria-expanded', isOpen);
  };
  if (folds.has(title)) show(folds.get(title));
  else fold.setAttribute('aria-expanded', false);
  return made;
}

/** The generic controls of a container, in one block; null when it has none. */
export function controls(page, container) {
  const ranked = genericNodes(container).map((node) => [order.indexOf(controlKind(node)), node])
    .sort((one, other) => one[0] - other[0]);
  const made = ranked.filter(([rank]) => order[rank] !== 'vector').map(([, node]) => control(page, node));
  const vectors = ranked.filter(([rank]) => order[rank] === 'vector').map(([, node]) => control(page, node));
  if (vectors.length > 0) made.push(element('details', { class: 'more' }, element('summary', {}, 'More'), ...vectors));
  return made.length > 0 ? element('div', { class: 'controls' }, made) : null;
}

/** A container as a card of its own, with its description. */
export function groupCard(page, container, ...first) {
  return card(containerTitle(container), container.description, ...first, controls(page, container));
}
