import { element, setAttribute } from './element.js';
import { controls, card } from './group.js';
import { containerTitle } from './tree.js';

/** The metronome: its beats as dots, above its controls. */
export function metronomeCard(page, beat) {
  const container = beat.parent;
  const dots = element('div', { class: 'beats', role: 'img' });
  const count = container.find('metronome.beats');
  const show = () => {
    const [now] = page.values.of(beat);
    const beats = Math.max(1, page.values.number(count, now || 1));
    if (dots.children.length !== beats) {
      dots.replaceChildren(...Array.from({ length: beats }, () => element('span', { class: 'beat' })));
    }
    [...dots.children].forEach((dot, index) => dot.classList.toggle('is-on', index + 1 === now));
    setAttribute(dots, 'aria-label', now ? `Beat ${now} of ${beats}` : `${beats} beats, standing`);
  };
  page.watch(beat, show);
  page.watch(count, show);
  return card(containerTitle(container), container.description, dots, controls(page, container));
}
