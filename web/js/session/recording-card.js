import { arraySource } from './array-source.js';
import { recordingField } from './recording-field.js';
import { element } from '../shared/drawing/element.js';
import { overviewSegments } from '../playback/overview-choice.js';
import { card, controls } from '../shared/controls/card.js';
import { roles } from '../shared/tree/roles.js';

/** The recording or the live array that plays, and the recording of head motion. */
export default { topic: 'session', needs: [roles.sessionName], make: recordingCard };

function recordingCard(page, [{ parent }]) {
  return card('Recording', 'The recording that plays, and files of recorded head motion.',
    arraySource(page), recordingField(page, parent), page.root.find(roles.overview) && overviewSegments(page), controls(page, parent),
    element('p', { class: 'help' },
      'Phones and browsers can play packed recordings by themselves: ', element('a', { href: '/listen' }, 'Listen'), '.'));
}
