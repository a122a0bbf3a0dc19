import { element, setAttribute } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { control } from '../shared/controls/control.js';
import { genericNodes } from '../shared/controls/control-kind.js';
import { containerTitle } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';
import { counted } from '../shared/numbers/units.js';

/** Metronome: its beats as dots, above its controls. */
export default { topic: 'effects', needs: [roles.metronomeBeat], owns: 'container', make: metronomeCard };

function metronomeCard(page, [beat]) {
  const container = beat.parent;
  const dots = element('div', { class: 'beats', role: 'img' });
  const count = container.find(roles.metronomeBeats);
  const show = () => {
    const [now] = page.values.of(beat);
    const beats = Math.max(1, page.values.number(count, now || 1));
    if (dots.children.length !== beats) {
      dots.replaceChildren(...Array.from({ length: beats }, () => element('span', { class: 'beat' })));
    }
    [...dots.children].forEach((dot, index) => dot.classList.toggle('is-on', index + 1 === now));
    setAttribute(dots, 'aria-label', now ? `Beat ${now} of ${beats}` : `${counted(beats, 'beat')}, stopped`);
  };
  page.watch(beat, show);
  page.watch(count, show);
  // In the order in which they are needed while playing; the rest follows.
  const first = [roles.metronomeTempo, roles.metronomeRun, roles.metronomeTap];
  const rank = (node) => (first.findIndex((role) => node.has(role)) + first.length + 1) % (first.length + 1);
  const nodes = genericNodes(container).sort((one, other) => rank(one) - rank(other));
  return card(containerTitle(container), container.description, dots,
    element('div', { class: 'controls' }, nodes.map((node) => control(page, node))));
}
