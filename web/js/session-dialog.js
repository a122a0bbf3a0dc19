import { element, setText, uniqueId } from './element.js';

/** What the engine says of a difference: the name that was asked for, then lines; one with a mark is what is wrong. */
export function readDifference(text) {
  const [name, ...lines] = (text ?? '').split('\n');
  const problem = lines[0]?.startsWith('!') ? lines.join(' ').slice(1) : null;
  return { name, problem, lines: problem === null ? lines : [] };
}

/** Shows what loading a session, or reverting, would change, before it is done. */
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
    setText(words, !isAnswer ? 'Asking what would change …' : problem ?? summary(lines.length));
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
    /** @param name what the engine is asked about; nothing for going back. @param shown what a person calls it */
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

export function summary(count) {
  if (count === 0) return 'Nothing would change.';
  return count === 1 ? 'One thing would change:' : `${count} things would change:`;
}
