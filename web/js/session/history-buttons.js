import { element, setAttribute } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { sessionOf } from './session.js';

/** Undo and redo for every page; their titles name the change. */
export function historyButtons(page) {
  const session = sessionOf(page.root);
  if (!session?.undo) return [];
  return [button(page, 'Undo', session.undo, session.undoWords), button(page, 'Redo', session.redo, session.redoWords)];
}

function button(page, title, node, wordsNode) {
  const made = element('button', {
    type: 'button', disabled: true, onclick: () => page.send(node, []),
    'aria-keyshortcuts': title === 'Undo' ? 'Control+Z' : 'Control+Shift+Z',
  }, icon(title.toLowerCase(), 20));
  const show = ([text]) => {
    const words = text ? `${title}: ${text}` : `Nothing to ${title.toLowerCase()}`;
    setAttribute(made, 'aria-label', words);
    setAttribute(made, 'title', words);
    made.disabled = !text;
  };
  show(page.values.of(wordsNode));
  page.watch(wordsNode, show);
  return made;
}
