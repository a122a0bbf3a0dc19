import { element, setText, uniqueId } from './element.js';
import { card } from './group.js';
import { sessionDialog } from './session-dialog.js';

/** The nodes of the session by their roles; null when the engine has none. */
export function sessionOf(root) {
  const name = root.find('session.name');
  return name && {
    name,
    container: name.parent,
    changed: root.find('session.changed'),
    recent: root.find('session.recent'),
    save: root.find('session.save'),
    saveAs: root.find('session.save-as'),
    load: root.find('session.load'),
    revert: root.find('session.revert'),
    compare: root.find('session.compare'),
    difference: root.find('session.difference'),
    undo: root.find('undo'),
    redo: root.find('redo'),
    undoWords: root.find('undo.words'),
    redoWords: root.find('redo.words'),
  };
}

/** Names that come one a line. */
export const namesIn = (text) => (text ?? '').split('\n').filter((name) => name !== '');

/** What a key asks for: `undo`, `redo`, or null. */
export function undoKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  return key === 'y' && !event.shiftKey ? 'redo' : null;
}

/** Whether something is being typed, which has a way back of its own. */
export function isTyping(target) {
  if (target?.isContentEditable || target?.tagName === 'TEXTAREA') return true;
  return target?.tagName === 'INPUT' && ['text', 'number', 'search', 'password', 'url', 'email'].includes(target.type);
}

/** The session: what it is called, whether it is saved, the way back, and the files. */
export function sessionCard(page, session) {
  const name = element('strong', { class: 'session-name' });
  const mark = element('span', { class: 'session-mark', role: 'status' });
  const dialog = sessionDialog(page, session);
  const field = element('input', {
    type: 'text', id: uniqueId('session'), autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 100,
  });
  let isNamed = false;
  const save = element('button', {
    type: 'button', class: 'plain',
    onclick: () => (isNamed ? page.send(session.save, []) : field.focus()),
  }, 'Save');
  const revert = element('button', {
    type: 'button', class: 'plain', disabled: true, onclick: () => dialog.ask('', name.textContent),
  }, 'Revert');
  page.watch(session.name, ([text]) => {
    isNamed = Boolean(text);
    setText(name, text || 'Without a name');
    if (document.activeElement !== field) field.value = text ?? '';
    revert.disabled = !isNamed;
  });
  page.watch(session.changed, ([isChanged]) => {
    setText(mark, isChanged ? 'changed' : '');
    mark.classList.toggle('is-changed', Boolean(isChanged));
  });
  return card('Session', 'What is set, in a file; scenes go with it.',
    element('p', { class: 'session-line' }, name, mark),
    element('div', { class: 'session-buttons' },
      wayButton(page, 'Undo', session.undo, session.undoWords), wayButton(page, 'Redo', session.redo, session.redoWords)),
    element('div', { class: 'session-buttons' }, save, revert),
    element('form', {
      class: 'control',
      onsubmit: (event) => {
        event.preventDefault();
        const typed = field.value.trim();
        if (typed) page.send(session.saveAs, [typed]);
        field.blur();
      },
    }, element('label', { for: field.id }, 'Name'),
    element('div', { class: 'text-line' }, field, element('button', { type: 'submit', class: 'plain' }, 'Save as'))),
    opener(page, session, dialog), dialog.element);
}

/** A button of the way back, and what it would do in words. */
function wayButton(page, title, node, wordsNode) {
  const words = element('small', { class: 'way-words' });
  const button = element('button', {
    type: 'button', class: 'plain way-button', disabled: true, onclick: () => page.send(node, []),
    'aria-keyshortcuts': title === 'Undo' ? 'Control+Z' : 'Control+Shift+Z',
  }, element('span', {}, title), words);
  page.watch(wordsNode, ([text]) => {
    setText(words, text || 'nothing');
    button.title = text ?? '';
    // A button that goes out under a finger gives the focus away; it comes back with the next step.
    button.disabled = !text;
  });
  return button;
}

/** A session is chosen, what it would change is shown, and then it is loaded or not. */
function opener(page, session, dialog) {
  const select = element('select', { id: uniqueId('recent') });
  const open = element('button', { type: 'button', class: 'plain', onclick: () => dialog.ask(select.value, select.value) }, 'Open');
  const line = element('div', { class: 'control' }, element('label', { for: select.id }, 'Sessions'),
    element('div', { class: 'text-line' }, select, open));
  page.watch(session.recent, ([text]) => {
    const names = namesIn(text);
    const chosen = select.value;
    select.replaceChildren(...names.map((each) => element('option', { value: each }, each)));
    if (names.includes(chosen)) select.value = chosen;
    line.hidden = names.length === 0;
  });
  return line;
}
