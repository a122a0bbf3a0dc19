import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { namesIn, sessionOf } from './session.js';
import { confirmDialog } from './confirm-dialog.js';
import { sessionDialog } from './session-dialog.js';
import { roles } from '../shared/tree/roles.js';

/** The session: its name, whether it is saved, undo and redo, and its files. */
export default {
  topic: 'session',
  needs: [roles.sessionName],
  shows: [roles.sessionName, roles.sessionChanged, roles.sessionRecent, roles.sessionSave, roles.sessionSaveAs, roles.sessionLoad,
    roles.sessionDelete, roles.sessionRevert, roles.sessionCompare, roles.sessionDifference, roles.undo, roles.redo, roles.undoWords,
    roles.redoWords],
  owns: 'container',
  make: sessionCard,
};

function sessionCard(page) {
  const session = sessionOf(page.root);
  const name = element('strong', { class: 'session-name' });
  const mark = element('span', { class: 'session-mark', role: 'status' });
  const dialog = sessionDialog(page, session);
  const confirm = confirmDialog(page);
  const field = element('input', {
    type: 'text', id: uniqueId('session'), autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 100,
  });
  let isNamed = false;
  const save = element('button', {
    type: 'button', class: 'plain',
    onclick: () => (isNamed ? page.send(session.save, []) : field.focus()),
  }, 'Save');
  const revert = element('button', {
    type: 'button', class: 'plain', disabled: true, onclick: () => askToRevert(page, session, dialog, confirm, name.textContent),
  }, 'Revert');
  const rename = element('button', {
    type: 'button', class: 'plain', onclick: () => {
      const typed = field.value.trim();
      if (typed) renameTo(page, session, confirm, typed);
    },
  }, 'Rename');
  const duplicate = element('button', {
    type: 'button', class: 'plain',
    onclick: () => page.send(session.saveAs, [copyName(name.textContent, namesIn(page.values.of(session.recent)[0]))]),
  }, 'Duplicate');
  page.watch(session.name, ([text]) => {
    isNamed = Boolean(text);
    setText(name, text || 'Untitled');
    if (document.activeElement !== field) field.value = text ?? '';
    revert.disabled = !isNamed && !page.values.of(session.changed)[0];
    for (const button of [rename, duplicate]) button.hidden = !isNamed;
  });
  page.watch(session.changed, ([isChanged]) => {
    revert.disabled = !isNamed && !isChanged;
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
        if (typed) saveAs(page, session, confirm, typed);
        field.blur();
      },
    }, element('label', { for: field.id }, 'Name'),
    element('div', { class: 'text-line' }, field, element('button', { type: 'submit', class: 'plain' }, 'Save as')),
    element('div', { class: 'session-buttons session-copies' }, rename, duplicate)),
    opener(page, session, dialog, confirm), dialog.element, confirm.element);
}

/** Saves under a name; asks before another session of that name is replaced. */
function saveAs(page, session, confirm, typed) {
  const name = typed.replace(/\.json$/, '');
  const isOther = namesIn(page.values.of(session.recent)[0]).includes(name) && page.values.of(session.name)[0] !== name;
  if (!isOther) return page.send(session.saveAs, [name]);
  return confirm.ask(`Replace ${name}?`, 'The saved session of that name goes to the trash.', 'Replace',
    () => page.send(session.saveAs, [name, true]));
}

/** Saves under another name, and moves the former file to the trash. */
function renameTo(page, session, confirm, typed) {
  const former = page.values.of(session.name)[0];
  const name = typed.replace(/\.json$/, '');
  if (name === former) return;
  const rename = (...sent) => {
    page.send(session.saveAs, sent);
    page.send(session.delete, [former]);
  };
  if (!namesIn(page.values.of(session.recent)[0]).includes(name)) rename(name);
  else confirm.ask(`Replace ${name}?`, 'The saved session of that name goes to the trash.', 'Replace', () => rename(name, true));
}

/** Name of a copy that no other session has. */
export function copyName(name, names) {
  for (let number = 1; ; number += 1) {
    const copy = number === 1 ? `${name} copy` : `${name} copy ${number}`;
    if (!names.includes(copy)) return copy;
  }
}

/** Shows the changes to a saved session; a session without a name returns to the state it began with. */
function askToRevert(page, session, dialog, confirm, name) {
  if (page.values.of(session.name)[0]) dialog.ask('', name);
  else confirm.ask('Discard all changes?', 'The state of the start is restored. Undo brings the changes back.', 'Discard',
    () => page.send(session.revert, []));
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
function opener(page, session, dialog, confirm) {
  const select = element('select', { id: uniqueId('recent') });
  const open = element('button', { type: 'button', class: 'plain', onclick: () => dialog.ask(select.value, select.value) }, 'Open');
  const remove = element('button', {
    type: 'button', class: 'plain',
    onclick: () => confirm.ask(`Delete ${select.value}?`, 'It goes to the trash, from which `vestibule session restore` brings it back.',
      'Delete', () => page.send(session.delete, [select.value])),
  }, 'Delete');
  const line = element('div', { class: 'control' }, element('label', { for: select.id }, 'Saved sessions'),
    element('div', { class: 'text-line' }, select, open, remove));
  const none = element('p', { class: 'help empty-list' }, 'No saved sessions yet. Enter a name and press “Save as”.');
  page.watch(session.recent, ([text]) => {
    const names = namesIn(text);
    none.hidden = names.length > 0;
    const chosen = select.value;
    select.replaceChildren(...names.map((each) => element('option', { value: each }, each)));
    if (names.includes(chosen)) select.value = chosen;
    line.hidden = names.length === 0;
  });
  return element('div', { class: 'control' }, none, line);
}
