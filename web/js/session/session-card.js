import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { historyButtons, wordedButton } from './history-buttons.js';
import { namesIn, sessionOf } from './session.js';
import { confirmDialog } from '../shared/controls/confirm-dialog.js';
import { nameDialog } from './name-dialog.js';
import { sessionDialog } from './session-dialog.js';
import { roles } from '../shared/tree/roles.js';

/** The session: its name, whether it is saved, undo and redo, and its files. */
export default {
  topic: 'session',
  needs: [roles.sessionName],
  shows: [roles.sessionName, roles.sessionChanged, roles.sessionRecent, roles.sessionSave, roles.sessionSaveAs, roles.sessionLoad,
    roles.sessionRename, roles.sessionDuplicate, roles.sessionDelete, roles.sessionRevert,
    roles.sessionCompare, roles.sessionDifference, roles.undo, roles.redo, roles.undoWords,
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
  page.watch(session.name, ([text]) => {
    isNamed = Boolean(text);
    setText(name, text || 'Untitled');
    if (document.activeElement !== field) field.value = text ?? '';
    revert.disabled = !isNamed && !page.values.of(session.changed)[0];
  });
  page.watch(session.changed, ([isChanged]) => {
    revert.disabled = !isNamed && !isChanged;
    setText(mark, isChanged ? 'Unsaved changes' : '');
    mark.classList.toggle('is-changed', Boolean(isChanged));
  });
  return card('Session', 'All settings and scenes, saved in one file.',
    element('p', { class: 'session-line' }, name, mark),
    element('div', { class: 'session-buttons' },
      historyButtons(page, wordedButton)),
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
    element('div', { class: 'text-line' }, field, element('button', { type: 'submit', class: 'plain' }, 'Save as'))),
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

/** Gives a saved session another name; the open one is saved under it, and its former file goes to the trash. */
function renameTo(page, session, confirm, former, typed) {
  const name = typed.replace(/\.json$/, '');
  if (!name || name === former) return;
  const rename = (...isConfirmed) => {
    if (former !== page.values.of(session.name)[0]) return page.send(session.rename, [former, name, ...isConfirmed]);
    page.send(session.saveAs, [name, ...isConfirmed]);
    return page.send(session.delete, [former]);
  };
  if (!namesIn(page.values.of(session.recent)[0]).includes(name)) rename();
  else confirm.ask(`Replace ${name}?`, 'The saved session of that name goes to the trash.', 'Replace', () => rename(true));
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
  else confirm.ask('Discard all changes?', 'The initial state is restored. This can be undone.', 'Discard',
    () => page.send(session.revert, []));
}

/** A list of saved sessions; opening one first shows the changes. */
function opener(page, session, dialog, confirm) {
  const naming = nameDialog(page);
  const select = element('select', { id: uniqueId('recent') });
  const button = (text, onclick) => element('button', { type: 'button', class: 'plain', onclick }, text);
  const names = () => namesIn(page.values.of(session.recent)[0]);
  const open = button('Open', () => dialog.ask(select.value, select.value));
  const rename = button('Rename…', () => naming.ask(`Rename ${select.value}`, select.value, 'Rename',
    (typed) => renameTo(page, session, confirm, select.value, typed)));
  const duplicate = button('Duplicate', () => page.send(session.duplicate, [select.value, copyName(select.value, names())]));
  const remove = button('Delete',
    () => confirm.ask(`Delete ${select.value}?`, 'It goes to the trash, from which `vestibule session restore` restores it.',
      'Delete', () => page.send(session.delete, [select.value])));
  const line = element('div', { class: 'control' }, element('label', { for: select.id }, 'Saved sessions'),
    element('div', { class: 'text-line' }, select, open),
    element('div', { class: 'session-buttons session-copies' }, session.rename && rename, session.duplicate && duplicate, remove));
  const none = element('p', { class: 'help empty-list' }, 'No saved sessions yet. Enter a name and press “Save as”.');
  const showOpen = () => {
    const isOpen = select.value !== '' && select.value === page.values.of(session.name)[0];
    remove.disabled = isOpen;
    remove.title = isOpen ? 'This session is open. Open or save another one first.' : '';
  };
  select.addEventListener('change', showOpen);
  page.watch(session.recent, () => {
    none.hidden = names().length > 0;
    const chosen = select.value;
    select.replaceChildren(...names().map((each) => element('option', { value: each }, each)));
    if (names().includes(chosen)) select.value = chosen;
    line.hidden = names().length === 0;
    showOpen();
  });
  page.watch(session.name, showOpen);
  return element('div', { class: 'control' }, none, line, naming.element);
}
