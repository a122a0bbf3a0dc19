import { questionDialog } from './question-dialog.js';
import { element, setText } from '../drawing/element.js';

/** Dialog that asks before something is replaced or deleted. */
export function confirmDialog(page) {
  const words = element('p');
  const dialog = questionDialog(page, words);
  return {
    element: dialog.element,
    /**
     * Opens the dialog.
     *
     * @param question title
     * @param consequence what happens then, as a sentence
     * @param verb text of the button
     * @param confirmed called when the button was pressed
     */
    ask(question, consequence, verb, confirmed) {
      setText(words, consequence);
      dialog.open(question, verb, confirmed);
    },
  };
}
