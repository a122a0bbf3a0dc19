import { element, setText, uniqueId } from '../shared/drawing/element.js';

/** Dialog that asks for a name. */
export function nameDialog(page) {
  const id = uniqueId('name');
  const title = element('h2', { id });
  const field = element('input', {
    type: 'text', 'aria-labelledby': id, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 100,
  });
  const go = element('button', { type: 'submit', class: 'plain', value: 'go' });
  const form = element('form', { method: 'dialog' }, title, field,
    element('div', { class: 'session-buttons' }, go, element('button', { type: 'submit', class: 'plain', value: 'no' }, 'Cancel')));
  const dialog = element('dialog', { class: 'login session-dialog', 'aria-labelledby': id }, form);
  let action = null;

  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'go' && field.value.trim() !== '') action?.(field.value.trim());
    action = null;
  });
  page.onEnd(() => dialog.close('no'));
  return {
    element: dialog,
    /**
     * Opens the dialog.
     *
     * @param question title
     * @param name present name
     * @param verb text of the button
     * @param named called with the name that was entered
     */
    ask(question, name, verb, named) {
      dialog.returnValue = 'no';
      setText(title, question);
      setText(go, verb);
      field.value = name;
      action = named;
      dialog.showModal();
      field.select();
    },
  };
}
