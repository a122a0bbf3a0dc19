import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { sessionOf } from './session.js';

/**
 * Buttons for undo and redo, which name the change that they would undo or redo; none without sessions.
 *
 * @param make makes one: `iconButton` for every page, or `wordedButton`
 */
export function historyButtons(page, make = iconButton) {
  const session = sessionOf(page.root);
  if (!session?.undo) return [];
  return [['Undo', session.undo, session.undoWords], ['Redo', session.redo, session.redoWords]].map(([title, node, wordsNode]) => {
    const { button, show } = make(title, () => page.send(node, []));
    page.watch(wordsNode, ([text]) => {
      show(historyWords(title, text));
      // A disabled button loses the focus.
      button.disabled = !text;
    });
    return button;
  });
}

/** Words for a button: with its title, and those of the change alone. */
function historyWords(title, text) {
  const none = `Nothing to ${title.toLowerCase()}`;
  return { whole: text ? `${title}: ${text}` : none, change: text || none };
}

const attributes = (title, onclick) => ({
  type: 'button', disabled: true, onclick, 'aria-keyshortcuts': title === 'Undo' ? 'Control+Z' : 'Control+Shift+Z',
});

/** A button with a symbol; the change is its name. */
function iconButton(title, onclick) {
  const button = element('button', attributes(title, onclick), icon(title.toLowerCase(), 20));
  const show = ({ whole }) => {
    setAttribute(button, 'aria-label', whole);
    setAttribute(button, 'title', whole);
  };
  show(historyWords(title, ''));
  return { button, show };
}

/** A button with its title, and the change below. */
export function wordedButton(title, onclick) {
  const words = element('small', { class: 'history-words' });
  const button = element('button', { ...attributes(title, onclick), class: 'plain history-button' }, element('span', {}, title), words);
  const show = ({ change }) => {
    setText(words, change);
    setAttribute(button, 'title', change);
  };
  return { button, show };
}
