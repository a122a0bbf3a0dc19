import { element } from '../shared/drawing/element.js';
import { controls, card } from '../shared/controls/card.js';
import { containerTitle } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';
import { tunerDisplay } from './tuner-display.js';
import { tunerStage } from './tuner-stage.js';

/** Tuner: the note, and a needle from 50 cents flat to 50 cents sharp. */
export default {
  topic: 'effects',
  needs: [roles.tunerNote],
  shows: [roles.tunerNote, roles.tunerCents],
  owns: 'container',
  make: tunerCard,
};

function tunerCard(page, [note]) {
  const container = note.parent;
  const stage = tunerStage(page, container);
  return card(containerTitle(container), container.description,
    tunerDisplay(page, note, container.find(roles.tunerCents)),
    element('button', { type: 'button', class: 'plain tuner-open', onclick: () => stage.open() }, 'Full screen'),
    stage.element, controls(page, container));
}
