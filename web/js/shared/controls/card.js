import { control } from './control.js';
import { controlKind, genericNodes } from './control-kind.js';
import { element, uniqueId } from '../drawing/element.js';
import { icon } from '../drawing/icons.js';
import { roles } from '../tree/roles.js';
import { containerTitle } from '../tree/tree.js';

/** Order of controls without a place: settings, then actions, readouts, and last vectors, which few people set number by number. */
const order = ['select', 'slider', 'number', 'switch', 'text', 'row', 'button', 'progress', 'readout', 'vector'];

/** Place of a node's control; the look of a choice, which depends on the length of its words, makes no difference. */
const rankOf = (node) => order.indexOf(controlKind(node).replace('segments', 'select'));

/** Roles whose generic controls few people need, besides vectors. */
const rare = [roles.listenerGroup];

/** Titles of the cards that were opened or folded, and whether each is open. */
const folds = new Map();

/**
 * A titled part of the page.
 *
 * On a phone it folds to its title, unless `openAtFirst` was called with it.
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
    setOpen(made, isOpen);
  };
  setOpen(made, folds.get(title) ?? false);
  return made;
}

function setOpen(made, isOpen) {
  made.classList.toggle('is-open', isOpen);
  made.querySelector('.card-fold').setAttribute('aria-expanded', isOpen);
}

/** Opens a card that was neither opened nor folded so far. Returns the card. */
export function openAtFirst(made) {
  if (!folds.has(made.querySelector('h2').textContent)) setOpen(made, true);
  return made;
}

/** Compares two places, of which any number may be infinite. */
const compare = (one, other) => (one === other ? 0 : one - other);

/** The generic controls of a container, in one block; null when it has none. */
export function controls(page, container) {
  const ranked = genericNodes(container).map((node) => [rankOf(node), node])
    .sort((one, other) => compare(one[1].place, other[1].place) || one[0] - other[0]);
  const isRare = ([rank, node]) => order[rank] === 'vector' || rare.some((role) => node.tags.includes(role));
  const made = ranked.filter((each) => !isRare(each)).map(([, node]) => control(page, node));
  const more = ranked.filter(isRare).map(([, node]) => control(page, node));
  if (more.length > 0) made.push(element('details', { class: 'more' }, element('summary', {}, 'More'), ...more));
  return made.length > 0 ? element('div', { class: 'controls' }, made) : null;
}

/** A container as its own card, with its description. */
export function groupCard(page, container, ...first) {
  return card(containerTitle(container), container.description, ...first, controls(page, container));
}
