import { element, setAttribute, setText } from './element.js';
import { icon } from './icons.js';
import { seekBar } from './seek-bar.js';

/** The name at the end of a path. */
export const fileName = (path) => (path ?? '').split('/').filter(Boolean).pop() ?? '';

/** Play or pause, stop, loop, and where the recording is. Null when the tree has no transport. */
export function transport(page) {
  const role = Object.fromEntries(['play', 'pause', 'stop', 'loop', 'state', 'seek', 'position', 'duration']
    .map((name) => [name, page.root.find(name)]));
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
  return {
    buttons: element('div', { class: 'transport-buttons', role: 'group', 'aria-label': 'Transport' }, play,
      role.stop && element('button', {
        type: 'button', class: 'round', 'aria-label': role.stop.title, title: role.stop.help,
        onclick: () => page.send(role.stop, []),
      }, icon('stop', 22)),
      role.loop && loopButton(page, role.loop)),
    bar: seekBar(page, role),
  };
}

function loopButton(page, node) {
  const button = element('button', {
    type: 'button', class: 'round toggle', 'aria-label': node.title, title: node.help,
    onclick: () => page.send(node, [button.getAttribute('aria-pressed') !== 'true']),
  }, icon('loop', 22));
  page.watch(node, ([value]) => setAttribute(button, 'aria-pressed', Boolean(value)));
  return button;
}

/** Says which recording is loaded, in the head of the page and of the window. */
export function showRecording(page, target) {
  const node = page.root.find('recording');
  page.watch(node, ([path]) => {
    const name = fileName(path);
    setText(target, name || 'No recording');
    setAttribute(target, 'title', path || '');
    document.title = name ? `${name} · Vestibule` : 'Vestibule';
  });
}
