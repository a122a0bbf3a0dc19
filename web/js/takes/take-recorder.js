import { exactTime, roughTime, shortName } from './takes.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { sentence } from '../shared/numbers/sentence.js';

/** Seconds of remaining time below which it is shown as a warning. */
const little = 60;

/** The record button with the take's length, the room on the disk, and what went wrong. */
export function takeRecorder(page, nodes) {
  const of = (node) => page.values.of(node)[0];
  const words = element('span', {}, 'Record');
  const button = element('button', {
    type: 'button', class: 'take-record', title: 'Alt+T', 'aria-keyshortcuts': 'Alt+T',
    onclick: () => page.send(of(nodes.recording) ? nodes.stop : nodes.start, []),
  }, icon('record', 26), words);
  const length = element('strong', { class: 'take-elapsed', role: 'timer', 'aria-label': 'Length of the take' });
  const state = element('p', { role: 'status', class: 'help' });
  const room = element('p', { class: 'take-room' });
  const lost = element('p', { class: 'take-loss' });
  const problem = element('p', { class: 'take-problem', role: 'alert' });
  const show = () => {
    const isRecording = Boolean(of(nodes.recording));
    setText(words, isRecording ? 'Stop' : 'Record');
    button.classList.toggle('is-recording', isRecording);
    button.firstElementChild.replaceWith(icon(isRecording ? 'stop' : 'record', 26));
    setAttribute(button, 'aria-label', isRecording ? 'Stop recording the take' : 'Record a take');
    length.hidden = !isRecording;
    setText(state, isRecording ? `Recording ${shortName(of(nodes.current) ?? '') || 'an unnamed take'}` : 'Not recording');
  };
  const showRoom = () => {
    const hasSource = of(nodes.ears) || of(nodes.array) || (of(nodes.input) ?? 'none') !== 'none';
    const seconds = page.values.number(nodes.remaining);
    setText(room, !hasSource ? 'Nothing to record: choose a source.'
      : seconds > 0 ? `Space on the disk for ${roughTime(seconds)}` : 'No space on the disk');
    room.classList.toggle('is-little', seconds < little);
  };
  page.watch(nodes.recording, show);
  page.watch(nodes.current, show);
  page.watch(nodes.duration, ([seconds]) => setText(length, exactTime(seconds ?? 0)));
  for (const node of [nodes.remaining, nodes.ears, nodes.array, nodes.input]) page.watch(node, showRoom);
  page.watch(nodes.lost, ([seconds]) => {
    lost.hidden = !seconds;
    setText(lost, seconds ? `${seconds.toFixed(1)} s of sound lost in this take; it was replaced by silence.` : '');
  });
  page.watch(nodes.problem, ([text]) => {
    problem.hidden = !text;
    setText(problem, sentence(text));
  });
  show();
  showRoom();
  return element('div', { class: 'take-recorder' }, button,
    element('div', { class: 'take-state' }, length, state, room), lost, problem);
}
