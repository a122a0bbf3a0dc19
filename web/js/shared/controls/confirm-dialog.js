import { element, setText, uniqueId } from '../drawing/element.js';

/** Dialog that asks before something is replaced or deleted. */
export function confirmDialog(page) {
  const id = uniqueId('confirm');
  const title = element('h2', { id });
  const words = element('p');
  const go = element('button', { type: 'submit', class: 'plain', value: 'go' });
  const form = element('form', { method: 'dialog' }, title, words,
    element('div', { class: 'session-buttons' }, go, element('button', { type: 'submit', class: 'plain', value: 'no' }, 'Cancel')));
  const dialog = element('dialog', { class: 'login session-dialog', 'aria-labelledby': id }, form);
  let action = null;

  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'go') action?.();
    action = null;
  });
  page.onEnd(() => dialog.close('no'));
  return {
    element: dialog,
    /**
     * Opens the dialog.
     *
     * @param question title
     * @param consequence what happens then, as a sentence
     * @param verb text of the button
     * @param confirmed called when the button was pressed
     */
    ask(question, consequence, verb, confirmed) {
      dialog.returnValue = 'no';
      setText(title, question);
      setText(words, consequence);
      setText(go, verb);
      action = confirmed;
      dialog.showModal();
    },
  };
}
