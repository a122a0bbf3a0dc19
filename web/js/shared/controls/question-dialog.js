import { element, setText, uniqueId } from '../drawing/element.js';

/**
 * Dialog that asks a question, with a button that confirms and one that cancels.
 *
 * @param parts elements between the question and the buttons
 * @returns `element`, the dialog; `confirm`, the button that confirms; `open(question, verb, confirmed)`, which calls `confirmed`
 *   after the button with the text `verb` was pressed
 */
export function questionDialog(page, ...parts) {
  const id = uniqueId('question');
  const title = element('h2', { id });
  const confirm = element('button', { type: 'submit', class: 'plain', value: 'go' });
  const cancel = element('button', { type: 'submit', class: 'plain', value: 'no' }, 'Cancel');
  const form = element('form', { method: 'dialog' }, title, ...parts, element('div', { class: 'session-buttons' }, confirm, cancel));
  const dialog = element('dialog', { class: 'login session-dialog', 'aria-labelledby': id }, form);
  let action = null;

  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'go') action?.();
    action = null;
  });
  page.onEnd(() => dialog.close('no'));
  return {
    element: dialog,
    confirm,
    open(question, verb, confirmed) {
      dialog.returnValue = 'no';
      setText(title, question);
      setText(confirm, verb);
      action = confirmed;
      dialog.showModal();
    },
  };
}
