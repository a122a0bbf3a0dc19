import { arraySource } from './array-source.js';
import { recordingField } from './recording-field.js';
import { element } from '../shared/drawing/element.js';
import { overviewSegments } from '../playback/overview-choice.js';
import { card, controls } from '../shared/controls/card.js';
import { uploadButton } from '../shared/controls/upload.js';
import { roles } from '../shared/tree/roles.js';

/** The recording or the live array that plays, and the recording of head motion. */
export default { topic: 'session', needs: [roles.sessionName], make: recordingCard };

function recordingCard(page, [{ parent }]) {
  return card('Recording', 'The recording that plays, and files of recorded head motion.',
    arraySource(page), recordingField(page, parent), positions(page),
    page.root.find(roles.overview) && overviewSegments(page), controls(page, parent),
    element('p', { class: 'help' },
      'Phones and browsers can play packed recordings without the engine: ', element('a', { href: '/listen' }, 'Listen'), '.'));
}

/** Uploads the positions of a recording's microphones, `NAME.json` for `NAME.wav`. */
function positions(page) {
  const recording = page.root.find(roles.recording);
  const stem = (path) => path.split('/').pop().replace(/\.[^.]*$/, '');
  const upload = uploadButton(page, 'sidecars', {
    // The recording that plays is loaded again with its new positions.
    done: (name) => {
      const [path] = page.values.of(recording);
      if (path && stem(path) === stem(name)) page.send(recording, [path]);
    },
  });
  return element('details', { class: 'more' }, element('summary', {}, 'Microphone positions'),
    element('p', { class: 'help' }, 'A JSON file of the recording’s name, such as garden.json for garden.wav (docs/recordings.md).'),
    upload);
}
