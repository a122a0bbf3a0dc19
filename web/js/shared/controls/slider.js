import { caption } from './caption.js';
import { element, setAttribute, uniqueId } from '../drawing/element.js';
import { editable, typedNumber } from './field.js';
import { taperFor } from '../numbers/taper.js';
import { decimalsFor, numberText, unitText, withUnit } from '../numbers/units.js';

/** The nearest step to `size` that is 1, 2 or 5 times a power of ten. */
function roundStep(size) {
  const decade = 10 ** Math.floor(Math.log10(size));
  const share = size / decade;
  return decade * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

/** The value after an arrow key: a round step of a linear range, a semitone of a logarithmic one; a fifth of that when fine, and at least
 * 1 for a whole number. */
function nudged(node, value, direction, isFine) {
  const { minimum, maximum } = node.range;
  const isLogarithmic = node.tags.includes('logarithmic') && minimum > 0;
  const step = roundStep((maximum - minimum) / 72) / (isFine ? 5 : 1);
  const next = isLogarithmic
    ? value * 2 ** ((direction * (isFine ? 0.2 : 1)) / 12)
    : value + direction * (node.type === 'i' ? Math.max(1, step) : step);
  return Math.min(maximum, Math.max(minimum, next));
}

/** A slider with a number field and its unit, for a number with a range. */
export function sliderControl(page, node) {
  const id = uniqueId('slider');
  const taper = taperFor(node);
  const decimals = node.type === 'i' ? 0 : decimalsFor(node.range);
  const { minimum, maximum } = node.range;
  const rounded = (value) => Math.min(maximum, Math.max(minimum, Number(value.toFixed(decimals))));
  const input = element('input', {
    type: 'range', id, min: 0, max: 1, step: 'any', title: 'Double-click or press Backspace to reset',
  });
  const field = element('input', {
    type: 'number', class: 'field-number', min: minimum, max: maximum, step: 'any', inputmode: 'decimal',
    'aria-label': node.title,
  });
  const atLoad = node.initial?.[0];
  const current = () => page.values.number(node, minimum);
  const send = (value) => page.send(node, [rounded(value)]);
  const reset = () => typeof atLoad === 'number' && send(atLoad);

  input.addEventListener('input', () => send(taper.toValue(Number(input.value))));
  input.addEventListener('dblclick', reset);
  input.addEventListener('keydown', (event) => {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -8, PageUp: 8 }[event.key];
    if (direction) send(nudged(node, current(), direction, event.shiftKey));
    else if (event.key === 'Backspace' || event.key === 'Delete') reset();
    else return;
    event.preventDefault();
  });
  const showField = editable(field, () => numberText(current(), decimals).replace('−', '-'), (typed) => {
    const value = typedNumber(typed);
    if (value !== null) page.send(node, [value]);
  });
  page.watch(node, ([value]) => {
    const share = taper.toShare(value);
    input.value = share;
    input.style.setProperty('--share', share);
    setAttribute(input, 'aria-valuetext', withUnit(numberText(value, decimals), node.unit));
    showField();
  });
  return [
    element('div', { class: 'control-line' },
      caption(node, { for: id }),
      element('span', { class: 'field-unit' }, field,
        element('span', { class: 'unit', 'aria-hidden': 'true' }, unitText(node.unit)))),
    input,
  ];
}
