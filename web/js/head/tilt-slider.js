import { tiltInWords } from '../shared/numbers/angles.js';
import { element, setAttribute, setText, uniqueId } from '../shared/drawing/element.js';

/** A head seen from the side (nose to the right) or from behind (right ear to the right). */
function smallHead(kind) {
  const ears = kind === 'pitch'
    ? [element('path', { class: 'small-nose', d: 'M26 13l7 4-7 3' })]
    : [element('rect', { class: 'logo-left', x: 1, y: 11, width: 5, height: 12, rx: 2.5 }),
      element('rect', { class: 'logo-right', x: 30, y: 11, width: 5, height: 12, rx: 2.5 })];
  const turning = element('g', {}, ...ears, element('circle', { cx: 18, cy: 17, r: 10 }));
  const picture = element('svg', {
    class: 'small-head', viewBox: '0 0 36 34', width: 36, height: 34, 'aria-hidden': 'true',
  }, turning);
  return { turning, picture };
}

/** A slider from -90 to 90 degrees beside a head that tilts accordingly. */
export function tiltSlider(title, kind, [positive, negative], change) {
  const id = uniqueId(kind);
  const { turning, picture } = smallHead(kind);
  const input = element('input', { type: 'range', id, min: -90, max: 90, step: 1, value: 0 });
  const output = element('output', { for: id });
  const made = element('div', { class: 'tilt' }, picture,
    element('div', { class: 'tilt-words' }, element('label', { for: id }, title), output), input);
  const show = (degrees) => {
    const inside = Math.min(90, Math.max(-90, degrees));
    if (Number(input.value) !== Math.round(inside)) input.value = Math.round(inside);
    const words = tiltInWords(degrees, positive, negative);
    setText(output, words);
    setAttribute(input, 'aria-valuetext', words);
    input.style.setProperty('--share', (inside + 90) / 180);
    turning.setAttribute('transform', `rotate(${kind === 'pitch' ? -degrees : degrees} 18 17)`);
  };
  input.addEventListener('input', () => change(Number(input.value)));
  input.addEventListener('dblclick', () => change(0));
  show(0);
  return { element: made, show };
}
