import { element, setText, uniqueId } from '../shared/drawing/element.js';

/** The engine's answer to a comparison: the name, then one change per line, or a problem after an exclamation mark. */
export function readDifference(text) {
  const [name, ...lines] = (text ?? '').split('\n');
  const problem = lines[0]?.startsWith('!') ? lines.join(' ').slice(1) : null;
  return { name, problem, lines: problem === null ? lines : [] };
}

/** Dialog that shows the changes before a session is loaded or reverted. */
export function sessionDialog(page, session) {
  const id = uniqueId('difference');
  const title = element('h2', { id });
  const words = element('p', { role: 'status' });
  const list = element('ul', { class: 'differences' });
  const go = element('button', { type: 'submit', class: 'plain', value: 'go' }, 'Load');
  const form = element('form', { method: 'dialog' }, title, words, list,
    element('div', { class: 'session-buttons' }, go, element('button', { type: 'submit', class: 'plain', value: 'no' }, 'Cancel')));
  const dialog = element('dialog', { class: 'login session-dialog', 'aria-labelledby': id }, form);
  let asked = null;
  let isFresh = false;

  function show() {
    if (asked === null) return;
    const { name, problem, lines } = readDifference(page.values.of(session.difference)[0]);
    const isAnswer = isFresh && name === asked;
    setText(words, !isAnswer ? 'Comparing…' : problem ?? summary(lines.length));
    list.replaceChildren(...(isAnswer ? lines : []).map((line) => element('li', {}, line)));
    go.disabled = !isAnswer || problem !== null;
  }

  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'go' && asked !== null) {
      if (asked === '') page.send(session.revert, []);
      else page.send(session.load, [asked]);
    }
    asked = null;
  });
  page.watch(session.difference, () => {
    isFresh = true;
    show();
  });
  page.onEnd(() => dialog.close('no'));
  return {
    element: dialog,
    /**
     * Opens the dialog.
     *
     * @param name name of the session to load; empty to revert
     * @param shown name in the title
     */
    ask(name, shown) {
      asked = name;
      dialog.returnValue = 'no';
      setText(title, name === '' ? `Revert to ${shown} as it was saved?` : `Load ${shown}?`);
      setText(go, name === '' ? 'Revert' : 'Load');
      page.send(session.compare, [name]);
      show();
      dialog.showModal();
    },
  };
}

/** Number of changes in words. */
export function summary(count) {
  if (count === 0) return 'Nothing would change.';
  return count === 1 ? 'One thing would change:' : `${count} things would change:`;
}
