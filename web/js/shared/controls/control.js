import { caption } from './caption.js';
import { controlKind } from './control-kind.js';
import { element, setAttribute, setText, uniqueId } from '../drawing/element.js';
import { editable, typedNumber, typedRow } from './field.js';
import { listFor, namesOf, picker } from './picker.js';
import { sliderControl } from './slider.js';
import { uploadButton } from './upload.js';
import { roles as allRoles } from '../tree/roles.js';
import { numberText, readoutText, unitText, withUnit } from '../numbers/units.js';

/** The generic control of a node, made from the tree's description of it alone. */
export function control(page, node) {
  const kind = controlKind(node);
  const title = kind === 'readout' || kind === 'progress' ? node.help : null;
  const roles = node.tags.map((tag) => ` role-${tag.replaceAll('.', '-')}`).join('');
  const made = element('div', { class: `control control-${kind}${roles}`, title }, ...makers[kind](page, node));
  if (node.method) {
    page.watch(methodBeside(node), ([method]) => {
      made.hidden = method !== node.method;
    });
  }
  return made;
}

/** The choice of the method in the same container. */
const methodBeside = (node) => node.parent.children.find((each) => each.has(allRoles.method));

const makers = {
  slider: sliderControl,

  number(page, node) {
    return labelled(node, numberField(page, node, 0, node.title));
  },

  vector(page, node) {
    const fields = Array.from(node.type, (_, index) =>
      numberField(page, node, index, `${node.title}, ${partWords(node.parts[index]) ?? `number ${index + 1}`}`));
    return [caption(node), element('div', { class: 'vector', role: 'group', 'aria-label': node.title }, fields)];
  },

  switch(page, node) {
    const id = uniqueId('switch');
    const button = element('button', {
      type: 'button', class: 'switch', role: 'switch', 'aria-labelledby': id,
      onclick: () => page.send(node, [button.getAttribute('aria-checked') !== 'true']),
    }, element('span', { class: 'switch-knob' }));
    page.watch(node, ([value]) => setAttribute(button, 'aria-checked', Boolean(value)));
    return [element('div', { class: 'control-line' }, caption(node, { id }), button)];
  },

  segments(page, node) {
    const name = uniqueId('choice');
    const inputs = node.choices.map((choice) => element('input', {
      type: 'radio', name, value: choice, onchange: () => page.send(node, [choice]),
    }));
    page.watch(node, ([value]) => inputs.forEach((input) => { input.checked = input.value === value; }));
    return [caption(node, { id: name }),
      element('div', { class: 'segments', role: 'radiogroup', 'aria-labelledby': name },
        inputs.map((input) => element('label', { class: 'segment' }, input, element('span', {}, input.value))))];
  },

  select(page, node) {
    const select = element('select', { onchange: () => page.send(node, [select.value]) },
      node.choices.map((choice) => element('option', { value: choice }, choice)));
    page.watch(node, ([value]) => { select.value = value; });
    return labelled(node, select);
  },

  text(page, node) {
    return textControl(page, node, node.isReadable ? 'Set' : node.title.split(' ')[0]);
  },

  row(page, node) {
    const id = uniqueId('row');
    const field = element('input', { type: 'text', id, autocomplete: 'off', spellcheck: 'false', inputmode: 'decimal' });
    const known = () => page.values.of(node).map((value) => numberText(value, 4).replace('−', '-')).join(' ');
    const form = element('form', {
      class: 'text-line',
      onsubmit: (event) => {
        event.preventDefault();
        const numbers = typedRow(field.value);
        if (numbers) page.send(node, numbers);
        // An empty row is a value, unlike the empty message of a command.
        if (numbers?.length === 0) page.values.set(node.path, numbers);
        field.value = known();
      },
    }, field, node.unit ? element('span', { class: 'unit' }, unitText(node.unit)) : null,
    element('button', { type: 'submit', class: 'plain' }, 'Set'));
    page.watch(node, () => {
      if (!form.contains(document.activeElement)) field.value = known();
    });
    return [caption(node, { for: id }), form];
  },

  button(page, node) {
    return [element('div', { class: 'control-line' }, element('p', { class: 'help' }, node.help),
      element('button', { type: 'button', class: 'plain', onclick: () => page.send(node, []) }, node.title))];
  },

  readout(page, node) {
    const output = element('span', { class: 'readout-value' }, '–');
    page.watch(node, (values) => setText(output, readout(node, values)));
    return [element('span', { class: 'readout-title' }, node.title), output];
  },

  progress(page, node) {
    const id = uniqueId('progress');
    const bar = element('progress', { max: 1, value: 0, 'aria-labelledby': id });
    const words = element('span', { class: 'readout-value' }, '–');
    page.watch(node, ([value]) => {
      bar.value = value;
      setText(words, `${Math.round(100 * value)} %`);
    });
    return [element('span', { class: 'readout-title', id }, node.title), bar, words];
  },
};

/** A text field that is sent by its button or the return key, with the names to choose from where the engine lists them. */
export function textControl(page, node, action) {
  const id = uniqueId('text');
  const field = element('input', { type: 'text', id, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
  let sent = null;
  const form = element('form', {
    class: 'text-line',
    onsubmit: (event) => {
      event.preventDefault();
      if (field.value === '') return;
      sent = field.value;
      page.send(node, [sent]);
    },
  }, field, element('button', { type: 'submit', class: 'plain' }, action));
  const found = listFor(page.root, node);
  const choose = (name) => page.send(node, [name]);
  if (found) field.after(picker(page, found.list, `Choose: ${node.title}`, namesOf, choose));
  const names = () => namesOf(page.values.of(found.list)[0]).map(([name]) => name);
  if (node.isReadable) {
    page.watch(node, ([value]) => {
      if (!form.contains(document.activeElement) || field.value === sent) field.value = value ?? '';
      sent = value;
    });
  }
  return [caption(node, { for: id }), form, ...found ? [uploadButton(page, found.kind, { names, done: choose, target: form })] : []];
}

/** One number of a node in a field of its own; the others are sent unchanged with it. */
function numberField(page, node, index, label) {
  const field = element('input', {
    type: 'number', class: 'field-number', step: 'any', inputmode: 'decimal', 'aria-label': label,
  });
  const known = () => page.values.of(node)[index];
  const text = () => (typeof known() === 'number' ? numberText(known(), 4).replace('−', '-') : '');
  const show = editable(field, text, (typed) => {
    const value = typedNumber(typed);
    if (value === null) return;
    const all = Array.from(node.type, (_, at) => page.values.of(node)[at] ?? 0);
    all[index] = value;
    page.send(node, all);
  });
  page.watch(node, show);
  return field;
}

function labelled(node, field) {
  field.id = uniqueId('field');
  return [element('div', { class: 'control-line' }, caption(node, { for: field.id }),
    element('span', { class: 'field-unit' }, field, element('span', { class: 'unit' }, unitText(node.unit))))];
}

function readout(node, values) {
  if (values.length === 0) return '–';
  if (typeof values[0] === 'string') return values[0] || '–';
  if (typeof values[0] === 'boolean') return values[0] ? 'on' : 'off';
  // Quantiles of nothing are zeros.
  if (node.parts[0] === 'p50' && values.every((value) => value === 0)) return '–';
  const named = values.map((value, index) => [partWords(node.parts[index]), readoutText(value)].filter(Boolean).join('\u00a0'));
  return withUnit(named.join(' · '), node.unit);
}

/** The name of a number of a vector in words: percentiles as such. */
export const partWords = (name) => (name === 'p50' ? 'median' : name?.replace(/^p(\d+)$/, '$1\u202f%'));
