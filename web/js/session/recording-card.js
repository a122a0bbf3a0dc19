import { overviewSegments } from '../playback/overview-choice.js';
import { card, controls } from '../shared/controls/card.js';
import { textControl } from '../shared/controls/control.js';
import { element } from '../shared/drawing/element.js';
import { roles } from '../shared/tree/roles.js';

/** The recording that plays, and the recording of head motion. */
export default { topic: 'session', needs: [roles.sessionName], make: recordingCard };

function recordingCard(page, [{ parent }]) {
  return card('Recording', 'The recording that plays, and files of recorded head motion.',
    recordingField(page, parent), page.root.find(roles.overview) && overviewSegments(page), controls(page, parent));
}

/** A field that loads another recording, for the card of the container that holds it; null for any other. */
export function recordingField(page, container) {
  const recording = page.root.find(roles.recording);
  return recording?.parent === container
    ? element('div', { class: 'control' }, ...textControl(page, recording, 'Load')) : null;
}
