import { onEscape } from '../shared/controls/escape.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { onOverviewKind, overviewKind } from './overview-choice.js';
import { OverviewPicture } from './overview-picture.js';
import { namesOf } from '../shared/controls/picker.js';
import { uploadButton } from '../shared/controls/upload.js';
import { roles } from '../shared/tree/roles.js';
import { clockText, spokenTime } from '../shared/numbers/units.js';

const keySteps = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -30, PageUp: 30 };

/**
 * Position in the recording, in front of its overview; releasing the knob seeks unless Escape cancels it, arrow keys move by 5 s,
 * a dropped file plays.
 */
export function seekBar(page, { position, duration, seek, overview }, world) {
  const fill = element('div', { class: 'seek-fill' });
  const knob = element('div', { class: 'seek-knob' });
  const hovered = element('div', { class: 'seek-hover', hidden: true, 'aria-hidden': 'true' });
  const picture = new OverviewPicture(overviewKind, () => playedShare());
  const bar = element('div', {
    class: 'seek', role: 'slider', tabindex: 0, 'aria-label': 'Position', 'aria-valuemin': 0,
  }, picture.element, element('div', { class: 'seek-track' }, fill), knob, hovered);
  const now = element('span', { class: 'seek-time' }, '0:00');
  const end = element('span', { class: 'seek-time seek-end' }, '0:00');
  let dragged = null;
  let unwatch = () => {};

  const length = () => page.values.number(duration);
  const inside = (seconds) => Math.min(length(), Math.max(0, seconds));
  const present = () => dragged ?? page.values.number(position);
  const playedShare = () => (length() > 0 ? Math.min(1, present() / length()) : 0);
  const show = () => {
    const at = present();
    const share = playedShare();
    picture.request();
    fill.style.transform = `scaleX(${share})`;
    knob.style.left = `${share * 100}%`;
    setText(now, clockText(at));
    setText(end, clockText(length()));
    setAttribute(bar, 'aria-valuenow', Math.floor(at));
    setAttribute(bar, 'aria-valuemax', Math.floor(length()));
    setAttribute(bar, 'aria-valuetext', `${spokenTime(at)} of ${spokenTime(length())}`);
  };
  const seekTo = (seconds) => {
    if (!seek || length() === 0) return;
    page.send(seek, [inside(seconds)]);
  };
  const timeAt = (event) => {
    const box = bar.getBoundingClientRect();
    return inside(((event.clientX - box.left) / box.width) * length());
  };
  const point = (event) => {
    dragged = timeAt(event);
    show();
  };
  const cancel = () => {
    unwatch();
    dragged = null;
    show();
  };
  const hover = (event) => {
    hovered.hidden = length() === 0;
    const at = timeAt(event);
    hovered.style.left = `${(at / (length() || 1)) * 100}%`;
    setText(hovered, clockText(at));
  };

  bar.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || length() === 0) return;
    bar.setPointerCapture(event.pointerId);
    unwatch = onEscape(cancel);
    point(event);
  });
  bar.addEventListener('pointermove', (event) => {
    hover(event);
    if (dragged !== null) point(event);
  });
  bar.addEventListener('pointerleave', () => { hovered.hidden = true; });
  bar.addEventListener('pointerup', () => {
    if (dragged === null) return;
    unwatch();
    seekTo(dragged);
    dragged = null;
  });
  bar.addEventListener('pointercancel', cancel);
  bar.addEventListener('keydown', (event) => {
    const at = page.values.number(position);
    if (event.key in keySteps) seekTo(at + keySteps[event.key]);
    else if (event.key === 'Home') seekTo(0);
    else if (event.key === 'End') seekTo(length());
    else return;
    event.preventDefault();
  });
  page.watch(position, show);
  page.watch(duration, show);
  page.watch(overview, ([number]) => picture.fetch(world, number));
  onOverviewKind(page, () => picture.request());
  page.onEnd(() => {
    unwatch();
    picture.end();
  });
  return element('div', { class: 'seek-line' }, now, bar, end, recordingDrop(page, bar));
}

/** Takes a recording that is dropped on the position, and plays it. The field of the card Recording does the same by a button. */
function recordingDrop(page, bar) {
  const [recording, list, play] = [roles.recording, roles.listedRecordings, roles.play].map((role) => page.root.find(role));
  if (!recording || !list) return null;
  return uploadButton(page, 'recordings', {
    names: () => namesOf(page.values.of(list)[0]).map(([name]) => name),
    done: (name) => {
      page.send(recording, [name]);
      if (play) page.send(play, []);
    },
    target: bar,
    isQuiet: true,
  });
}
