import { card } from '../shared/controls/card.js';
import { element, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { setOptionWords } from '../shared/drawing/option-words.js';
import { sentence } from '../shared/numbers/sentence.js';

/** The state of a connection in a sentence; `off` is the one for an engine that has none. */
export function stateWords(place, state, off) {
  switch (state) {
    case 'connecting': return `Connecting to ${place}.`;
    case 'connected': return `Connected to ${place}.`;
    case 'waiting': return `Not connected to ${place}. The engine tries again within a minute.`;
    default: return off;
  }
}

/** A count with its noun. */
export function counted(count, noun) {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * A card with the state of a connection, its problem, and what went over it in words.
 *
 * `nodes` are those of the state, the problem and the address; `counts` those whose values `countWords` puts into a sentence.
 */
export function connectionCard(page, title, help, off, [state, problem, place], counts, countWords) {
  const sign = element('span', { class: 'device-sign' }, icon('warning', 18));
  const words = element('p', {});
  const reason = element('p', { class: 'help' });
  const status = element('div', { class: 'device-state', role: 'status' }, sign, words, reason);
  const sum = element('p', { class: 'help' });
  const value = (node) => page.values.of(node)[0];

  function show() {
    setOptionWords(words, stateWords(value(place) ?? '', value(state), off));
    setText(reason, sentence(value(problem)));
    sign.hidden = !value(problem);
    status.classList.toggle('is-lost', Boolean(value(problem)));
    setText(sum, countWords(...counts.map((node) => value(node) ?? 0)));
    sum.hidden = (value(state) ?? 'off') === 'off';
  }

  for (const node of [state, problem, place, ...counts]) page.watch(node, show);
  return card(title, help, element('div', { class: 'device' }, status, sum));
}
