import { controllerWords, formatMapping, parseMapping } from './mapping.js';
import { movesWords } from './midi-learn.js';
import { element, setAttribute, setText, uniqueId } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { editable, typedNumber } from '../shared/controls/field.js';
import { taperFor } from '../shared/numbers/taper.js';
import { numberText, unitText } from '../shared/numbers/units.js';

/** One mapping of the list: controller and parameter, a button that removes it, and its ranges and curve behind a summary. */
export class MappingRow {
  constructor(page, node) {
    this.page = page;
    this.node = node;
    this.updates = [];
    this.title = element('span', { class: 'midi-title' });
    this.remove = element('button', {
      type: 'button', class: 'midi-remove', title: 'Remove this mapping (Undo restores it)', onclick: () => page.send(node, ['']),
    }, icon('close', 20));
    const details = element('details', { class: 'more midi-more' }, element('summary', {}, 'Range and curve'));
    this.element = element('li', { hidden: true }, element('div', { class: 'midi-line' }, this.title, this.remove), details);
    details.addEventListener('toggle', () => {
      if (details.open && details.children.length === 1) details.append(this.#settings());
    });
    page.watch(node, () => this.show());
  }

  get mapping() {
    return parseMapping(this.page.values.of(this.node)[0]);
  }

  show() {
    const { mapping } = this;
    this.element.hidden = !mapping;
    if (!mapping) return;
    const words = `${controllerWords(mapping)} ${movesWords(this.page.root, mapping)}`;
    setText(this.title, words);
    setAttribute(this.remove, 'aria-label', `Remove: ${words}`);
    for (const update of this.updates) update();
  }

  #change(change) {
    const { mapping } = this;
    if (mapping) this.page.send(this.node, [formatMapping({ ...mapping, ...change })]);
  }

  #settings() {
    const pair = (key, index, value) => this.#change({ [key]: this.mapping[key].map((old, at) => (at === index ? value : old)) });
    const target = [...this.page.root.all()].find(({ path }) => path === this.mapping?.target);
    const scale = scaleOf(target);
    const percent = { toValue: (share) => 100 * share, toShare: (value) => value / 100, unit: '%' };
    const mode = this.#field('Action', element('select', {
      onchange: () => this.#change({ isToggle: mode.querySelector('select').value === 'toggle' }),
    }, element('option', { value: 'follow' }, 'Follows the controller'),
    element('option', { value: 'toggle' }, 'Toggles at every press')));
    this.updates.push(() => { mode.querySelector('select').value = this.mapping?.isToggle ? 'toggle' : 'follow'; });
    const made = element('div', { class: 'controls midi-settings' },
      this.#number('At the lower end', scale, () => this.mapping?.output[0], (value) => pair('output', 0, value)),
      this.#number('At the upper end', scale, () => this.mapping?.output[1], (value) => pair('output', 1, value)),
      this.#number('Controller from', percent, () => this.mapping?.input[0], (value) => pair('input', 0, value)),
      this.#number('Controller to', percent, () => this.mapping?.input[1], (value) => pair('input', 1, value)),
      this.#curve(), mode);
    this.show();
    return made;
  }

  #field(title, field) {
    field.id = uniqueId('midi');
    return element('div', { class: 'control' },
      element('div', { class: 'control-line' }, element('label', { for: field.id, class: 'label' }, title), field));
  }

  /** A position as a number in the scale's unit. */
  #number(title, scale, share, commit) {
    const field = element('input', { type: 'number', class: 'field-number', step: 'any', inputmode: 'decimal' });
    const text = () => (share() === undefined ? '' : numberText(scale.toValue(share()), 2).replace('−', '-'));
    this.updates.push(editable(field, text, (typed) => {
      const value = typedNumber(typed);
      if (value !== null) commit(Math.min(1, Math.max(0, scale.toShare(value))));
    }));
    return this.#field(scale.unit ? `${title} (${scale.unit})` : title, field);
  }

  #curve() {
    const field = element('input', { type: 'range', min: -1, max: 1, step: 0.05, title: 'Double-click to straighten' });
    field.addEventListener('change', () => this.#change({ curve: Number(field.value) }));
    field.addEventListener('dblclick', () => this.#change({ curve: 0 }));
    this.updates.push(() => {
      const curve = this.mapping?.curve ?? 0;
      field.value = curve;
      field.style.setProperty('--share', (curve + 1) / 2);
      setAttribute(field, 'aria-valuetext', curve === 0 ? 'straight' : `${curve > 0 ? 'late' : 'early'}, ${Math.abs(curve)}`);
    });
    return this.#field('Curve', field);
  }
}

/** The scale of a parameter; percent of its range where it has no numbers to show. */
function scaleOf(node) {
  const isNumber = node?.range && Number.isFinite(node.range.minimum) && Number.isFinite(node.range.maximum);
  if (!isNumber) return { toValue: (share) => 100 * share, toShare: (value) => value / 100, unit: '%' };
  return { ...taperFor(node), unit: unitText(node.unit) };
}
