import { questionDialog } from '../shared/controls/question-dialog.js';
import { element, uniqueId } from '../shared/drawing/element.js';
import { listenerTitle } from './listener-words.js';

/** Longest name of a listener. */
export const longestName = 60;

/** Dialog that asks for the name of a listener, which may be empty. */
export function renameDialog(page) {
  const id = uniqueId('name');
  const field = element('input', { type: 'text', id, autocomplete: 'off', spellcheck: 'false', maxlength: longestName });
  const dialog = questionDialog(page, element('label', { for: id }, 'Name'), field,
    element('p', { class: 'help' }, 'Sessions keep only network listeners with a name.'));
  return {
    element: dialog.element,
    ask(listener, named) {
      field.value = listener.name;
      dialog.open(`Rename ${listenerTitle(listener)}`, 'Rename', () => named(field.value.trim()));
      field.select();
    },
  };
}
