import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { clockText, spokenTime } from '../shared/numbers/units.js';

const keySteps = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -30, PageUp: 30 };

/** Position in the recording; releasing the knob seeks, arrow keys move by 5 s. */
export function seekBar(page, { position, duration, seek }) {
  const fill = element('div', { class: 'seek-fill' });
  const knob = element('div', { class: 'seek-knob' });
  const bar = element('div', {
    class: 'seek', role: 'slider', tabindex: 0, 'aria-label': 'Position', 'aria-valuemin': 0,
  }, element('div', { class: 'seek-track' }, fill), knob);
  const now = element('span', { class: 'seek-time' }, '0:00');
  const end = element('span', { class: 'seek-time seek-end' }, '0:00');
  let hand = null;

  const length = () => page.values.number(duration);
  const inside = (seconds) => Math.min(length(), Math.max(0, seconds));
  const show = () => {
    const at = hand ?? page.values.number(position);
    const share = length() > 0 ? Math.min(1, at / length()) : 0;
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
  const point = (event) => {
    const box = bar.getBoundingClientRect();
    hand = inside(((event.clientX - box.left) / box.width) * length());
    show();
  };

  bar.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || length() === 0) return;
    bar.setPointerCapture(event.pointerId);
    point(event);
  });
  bar.addEventListener('pointermove', (event) => hand !== null && point(event));
  bar.addEventListener('pointerup', () => {
    if (hand === null) return;
    seekTo(hand);
    hand = null;
  });
  bar.addEventListener('pointercancel', () => {
    hand = null;
    show();
  });
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
  return element('div', { class: 'seek-line' }, now, bar, end);
}
