import { questionDialog } from '../shared/controls/question-dialog.js';
import { element, setText } from '../shared/drawing/element.js';

/** The engine's answer to a comparison: the name, then one change per line, or a problem after an exclamation mark. */
export function readDifference(text) {
  const [name, ...lines] = (text ?? '').split('\n');
  const problem = lines[0]?.startsWith('!') ? lines.join(' ').slice(1) : null;
  return { name, problem, lines: problem === null ? lines : [] };
}

/** Dialog that shows the changes before a session is loaded or reverted. */
export function sessionDialog(page, session) {
  const words = element('p', { role: 'status' });
  const list = element('ul', { class: 'differences' });
  const dialog = questionDialog(page, words, list);
  let asked = null;
  let isFresh = false;

  function show() {
    if (asked === null) return;
    const { name, problem, lines } = readDifference(page.values.of(session.difference)[0]);
    const isAnswer = isFresh && name === asked;
    setText(words, !isAnswer ? 'Comparing…' : problem ?? summary(lines.length));
    list.replaceChildren(...(isAnswer ? lines : []).map((line) => element('li', {}, line)));
    dialog.confirm.disabled = !isAnswer || problem !== null;
  }

  page.watch(session.difference, () => {
    isFresh = true;
    show();
  });
  dialog.element.addEventListener('close', () => { asked = null; });
  return {
    element: dialog.element,
    /**
     * Opens the dialog.
     *
     * @param name name of the session to load; empty to revert
     * @param shown name in the title
     */
    ask(name, shown) {
      asked = name;
      page.send(session.compare, [name]);
      show();
      if (name === '') dialog.open(`Revert to ${shown} as it was saved?`, 'Revert', () => page.send(session.revert, []));
      else dialog.open(`Load ${shown}?`, 'Load', () => page.send(session.load, [name]));
    },
  };
}

/** Number of changes in words. */
export function summary(count) {
  if (count === 0) return 'No changes.';
  return count === 1 ? '1 change:' : `${count} changes:`;
}
