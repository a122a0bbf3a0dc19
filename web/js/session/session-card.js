import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { namesIn, sessionOf } from './session.js';
import { sessionDialog } from './session-dialog.js';
import { roles } from '../shared/tree/roles.js';

/** The session: its name, whether it is saved, undo and redo, and its files. */
export default {
  topic: 'session',
  needs: [roles.sessionName],
  shows: [roles.sessionName, roles.sessionChanged, roles.sessionRecent, roles.sessionSave, roles.sessionSaveAs, roles.sessionLoad,
    roles.sessionRevert, roles.sessionCompare, roles.sessionDifference, roles.undo, roles.redo, roles.undoWords, roles.redoWords],
  owns: 'container',
  make: sessionCard,
};

function sessionCard(page) {
  const session = sessionOf(page.root);
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
    setText(name, text || 'Untitled');
    if (document.activeElement !== field) field.value = text ?? '';
    revert.disabled = !isNamed;
  });
  page.watch(session.changed, ([isChanged]) => {
    setText(mark, isChanged ? 'Unsaved changes' : '');
    mark.classList.toggle('is-changed', Boolean(isChanged));
  });
  return card('Session', 'All settings and scenes, saved in one file.',
    element('p', { class: 'session-line' }, name, mark),
    element('div', { class: 'session-buttons' },
      historyButton(page, 'Undo', session.undo, session.undoWords), historyButton(page, 'Redo', session.redo, session.redoWords)),
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

/** Button for undo or redo, with the change that it would undo or redo. */
function historyButton(page, title, node, wordsNode) {
  const words = element('small', { class: 'history-words' });
  const button = element('button', {
    type: 'button', class: 'plain history-button', disabled: true, onclick: () => page.send(node, []),
    'aria-keyshortcuts': title === 'Undo' ? 'Control+Z' : 'Control+Shift+Z',
  }, element('span', {}, title), words);
  page.watch(wordsNode, ([text]) => {
    setText(words, text || `Nothing to ${title.toLowerCase()}`);
    button.title = text ?? '';
    // A disabled button loses the focus.
    button.disabled = !text;
  });
  return button;
}

/** A list of saved sessions; opening one first shows the changes. */
function opener(page, session, dialog) {
  const select = element('select', { id: uniqueId('recent') });
  const open = element('button', { type: 'button', class: 'plain', onclick: () => dialog.ask(select.value, select.value) }, 'Open');
  const line = element('div', { class: 'control' }, element('label', { for: select.id }, 'Saved sessions'),
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
