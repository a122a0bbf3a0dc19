import { card, controls } from '../shared/controls/card.js';
import { element, setText } from '../shared/drawing/element.js';
import { roles } from '../shared/tree/roles.js';

/** The 360-degree video of the recording: its settings, and the way to the page that shows it. */
export default {
  topic: 'session', needs: [roles.videoFile, roles.videoFound], shows: [roles.videoFound, roles.videoVersion], owns: 'container',
  make: videoCard,
};

/** The state of the video in a sentence. */
function videoWords(file, found) {
  if (!file) return 'The recording has no video. Name a file of the recordings folder, or an https:// address.';
  return found || 'Browsers fetch the video from its address.';
}

function videoCard(page, [file, found]) {
  const words = element('p', { class: 'help', role: 'status' });
  const link = element('a', { class: 'plain', href: '/view', target: '_blank' }, 'Watch');
  const value = (node) => page.values.of(node)[0] ?? '';
  const show = () => {
    setText(words, videoWords(value(file), value(found)));
    link.hidden = !value(file);
  };
  for (const node of [file, found]) page.watch(node, show);
  return card('360-degree video', file.parent.description, words, controls(page, file.parent), element('p', {}, link));
}
