import { questionDialog } from '../shared/controls/question-dialog.js';
import { element } from '../shared/drawing/element.js';

/** Dialog that asks for a name. */
export function nameDialog(page) {
  const field = element('input', { type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 100 });
  const dialog = questionDialog(page, field);
  field.setAttribute('aria-labelledby', dialog.element.getAttribute('aria-labelledby'));
  return {
    element: dialog.element,
    /**
     * Opens the dialog.
     *
     * @param question title
     * @param name present name
     * @param verb text of the button
     * @param named called with the name that was entered
     */
    ask(question, name, verb, named) {
      field.value = name;
      dialog.open(question, verb, () => field.value.trim() !== '' && named(field.value.trim()));
      field.select();
    },
  };
}
