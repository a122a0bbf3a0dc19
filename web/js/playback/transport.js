import { claimRoles } from '../shared/controls/displayed-roles.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { overviewButton } from './overview-choice.js';
import { seekBar } from './seek-bar.js';
import { roles } from '../shared/tree/roles.js';

claimRoles(roles.play, roles.pause, roles.stop, roles.seek, roles.loop, roles.state,
  roles.position, roles.duration, roles.recording, roles.overview);

/** The name at the end of a path. */
export const fileName = (path) => (path ?? '').split('/').filter(Boolean).pop() ?? '';

/** The source of a live array, a file without its folder. */
export const arrayName = (input) => (input.startsWith('file:') ? fileName(input) : input);

/** Transport: play or pause, stop, loop, and the position. Null when the tree has no transport. */
export function transport(page, world) {
  const role = Object.fromEntries(['play', 'pause', 'stop', 'loop', 'state', 'seek', 'position', 'duration', 'overview']
    .map((name) => [name, page.root.find(roles[name])]));
  if (!role.play) return null;
  const isPlaying = () => page.values.of(role.state)[0] === 'playing' && role.pause;
  const play = element('button', {
    type: 'button', class: 'round primary', onclick: () => page.send(isPlaying() ? role.pause : role.play, []),
  });
  const showState = () => {
    const node = isPlaying() ? role.pause : role.play;
    setAttribute(play, 'aria-label', node.title);
    setAttribute(play, 'title', node.help);
    play.replaceChildren(icon(isPlaying() ? 'pause' : 'play', 28));
  };
  showState();
  page.watch(role.state, showState);
  const bar = seekBar(page, role, world);
  // A live array has no position.
  const source = page.root.find(roles.arraySource);
  if (source) page.watch(source, ([value]) => { bar.style.visibility = value === 'live' ? 'hidden' : ''; });
  return {
    buttons: element('div', { class: 'transport-buttons', role: 'group', 'aria-label': 'Transport' }, play,
      role.stop && element('button', {
        type: 'button', class: 'round', 'aria-label': role.stop.title, title: role.stop.help,
        onclick: () => page.send(role.stop, []),
      }, icon('stop', 22)),
      role.loop && loopButton(page, role.loop), role.overview && overviewButton(page)),
    bar,
  };
}

function loopButton(page, node) {
  const button = element('button', {
    type: 'button', class: 'round toggle', 'aria-label': node.title, title: node.help,
    onclick: () => page.send(node, [button.getAttribute('aria-pressed') !== 'true']),
  }, icon('loop', 22));
  page.watch(node, ([value]) => setAttribute(button, 'aria-pressed', Boolean(value)));
  const place = page.root.find(roles.deckCurrent);
  if (place) {
    // In the playlist, its own choice to repeat decides.
    page.watch(place, ([number]) => {
      button.disabled = number > 0;
      setAttribute(button, 'title', number > 0 ? 'The recording is part of the playlist; see Repeat there.' : node.help);
    });
  }
  return button;
}

/** Shows the name of the recording or the live array in the header and in the title of the window. */
export function showRecording(page, target) {
  const node = page.root.find(roles.recording);
  const [source, input] = [page.root.find(roles.arraySource), page.root.find(roles.arrayInput)];
  const value = (each) => (each ? page.values.of(each)[0] : null) ?? '';
  const show = () => {
    const isLive = value(source) === 'live';
    const path = value(isLive ? input : node);
    const name = isLive ? `Live array ${arrayName(path)}` : fileName(path);
    setText(target, name || 'No recording');
    setAttribute(target, 'title', path || '');
    document.title = name ? `${name} · Vestibule` : 'Vestibule';
  };
  for (const each of [node, source, input]) if (each) page.watch(each, show);
}
