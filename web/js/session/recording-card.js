import { recordingField } from './recording-field.js';
import { overviewSegments } from '../playback/overview-choice.js';
import { card, controls } from '../shared/controls/card.js';
import { roles } from '../shared/tree/roles.js';

/** The recording that plays, and the recording of head motion. */
export default { topic: 'session', needs: [roles.sessionName], make: recordingCard };

function recordingCard(page, [{ parent }]) {
  return card('Recording', 'The recording that plays, and files of recorded head motion.',
    recordingField(page, parent), page.root.find(roles.overview) && overviewSegments(page), controls(page, parent));
}
