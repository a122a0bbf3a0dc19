import { element, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { numberText } from '../shared/numbers/units.js';
import { roles } from '../shared/tree/roles.js';

/** Button that sets the tempo by taps and shows it; null for an engine without a metronome. */
export function tapButton(page) {
  const tap = page.root.find(roles.metronomeTap);
  const tempo = page.root.find(roles.metronomeTempo);
  if (!tap) return null;
  const words = element('span', {}, '–');
  const button = element('button', {
    type: 'button', class: 'plain tap', title: tap.help, 'aria-label': 'Tap tempo',
  }, icon('tap', 20), words);
  // The press itself, since a click comes when the finger is lifted.
  button.addEventListener('pointerdown', (event) => event.button === 0 && page.send(tap, []));
  button.addEventListener('click', (event) => event.detail === 0 && page.send(tap, []));
  page.watch(tempo, ([value]) => setText(words, numberText(value, 0)));
  return button;
}
