import { caption } from '../shared/controls/caption.js';
import { control } from '../shared/controls/control.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { roles } from '../shared/tree/roles.js';

/** The settings of the next takes: name, sources, pre-roll and format. */
export function takeSettings(page, nodes) {
  const kept = element('p', { class: 'help' });
  const showKept = () => {
    const [has, wanted] = [page.values.number(nodes.kept), page.values.number(nodes.preRoll)];
    setText(kept, `${Math.floor(has)} of ${Math.round(wanted)} s are in memory.`);
  };
  page.watch(nodes.kept, showKept);
  page.watch(nodes.preRoll, showKept);
  const input = control(page, nodes.input);
  // Without a live input there is nothing to record of it.
  page.watch(page.root.find(roles.inputSource), ([source]) => { input.hidden = !source; });
  return element('div', { class: 'take-settings' },
    textField(page, nodes.name),
    element('div', { class: 'controls' }, control(page, nodes.usePreRoll)), kept,
    element('details', { class: 'more' }, element('summary', {}, 'Sources, pre-roll and format'),
      element('div', { class: 'controls' },
        textField(page, nodes.ears), control(page, nodes.array), input, control(page, nodes.preRoll), control(page, nodes.format))));
}

/** A text that may be empty, sent when typing ends. */
function textField(page, node) {
  let isTyping = false;
  const show = () => {
    if (!isTyping) field.value = page.values.of(node)[0] ?? '';
  };
  const end = () => {
    isTyping = false;
    show();
  };
  const field = element('input', {
    type: 'text', id: uniqueId('take'), autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 100,
    oninput: () => { isTyping = true; }, onblur: end,
    onchange: () => {
      isTyping = false;
      page.send(node, [field.value.trim()]);
    },
  });
  page.watch(node, show);
  return element('div', { class: 'control take-text' }, caption(node, { for: field.id }), field);
}
