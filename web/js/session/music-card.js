import { musicWords } from './music.js';
import { card } from '../shared/controls/card.js';
import { control } from '../shared/controls/control.js';
import { namesOf, picker } from '../shared/controls/picker.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { nodesByRole } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

/** Music beside the recording: a file, or a stream from the network. */
export default {
  topic: 'session',
  needs: [roles.musicSource],
  shows: [roles.musicRun, roles.musicState, roles.musicBuffered, roles.musicTitle, roles.musicProblem, roles.musicLosses],
  owns: 'subtree',
  make: musicCard,
};

function musicCard(page) {
  const music = nodesByRole(page.root, {
    source: roles.musicSource, run: roles.musicRun, state: roles.musicState, buffered: roles.musicBuffered, title: roles.musicTitle,
    problem: roles.musicProblem, losses: roles.musicLosses, sounds: roles.objectSounds,
  });
  const isOn = () => Boolean(page.values.of(music.run)[0]);
  const button = element('button', { type: 'button', class: 'round primary', onclick: () => page.send(music.run, [!isOn()]) });
  const state = element('p', { class: 'music-state', role: 'status' });
  const title = element('p', { class: 'music-title' });
  const problem = element('p', { class: 'music-problem' });
  const bar = element('progress', { max: 10, value: 0, 'aria-label': music.buffered.title });
  const show = () => {
    const of = (node) => page.values.of(node)[0] ?? '';
    const buffered = page.values.number(music.buffered);
    setAttribute(button, 'aria-label', isOn() ? 'Stop music' : 'Play music');
    button.replaceChildren(icon(isOn() ? 'stop' : 'play', 26));
    button.disabled = !isOn() && !of(music.source);
    setText(state, musicWords(of(music.state), page.values.number(music.losses)));
    setText(title, of(music.title));
    setText(problem, of(music.problem) && `Reason: ${of(music.problem)}.`);
    [title.hidden, problem.hidden] = [!of(music.title), !of(music.problem)];
    bar.value = buffered;
    bar.hidden = !isOn() || of(music.state) === 'failed';
    setAttribute(bar, 'title', `${buffered.toFixed(1)} s buffered`);
  };
  for (const name of ['source', 'run', 'state', 'buffered', 'title', 'problem', 'losses']) page.watch(music[name], show);
  show();
  const others = music.run.parent.children.filter((node) => node.isWritable && ![music.run, music.source].includes(node));
  return card('Music', 'Stereo sound for all listeners in addition to the recording. It does not turn with the head.',
    element('div', { class: 'music-head' }, button, element('div', { class: 'music-words' }, state, title, bar, problem)),
    element('div', { class: 'controls' }, control(page, music.source),
      music.sounds && picker(page, music.sounds, 'Choose a sound of the library', namesOf, (name) => page.send(music.source, [name])),
      ...others.map((node) => control(page, node))));
}
