import { nodesByRole } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

/** Nodes of the session by their roles; null when the engine has none. */
export function sessionOf(root) {
  const name = root.find(roles.sessionName);
  return name && {
    container: name.parent,
    ...nodesByRole(root, {
      name: roles.sessionName, changed: roles.sessionChanged, recent: roles.sessionRecent, save: roles.sessionSave,
      saveAs: roles.sessionSaveAs, load: roles.sessionLoad, delete: roles.sessionDelete,
      rename: roles.sessionRename, duplicate: roles.sessionDuplicate, revert: roles.sessionRevert,
      compare: roles.sessionCompare, difference: roles.sessionDifference, undo: 'undo', redo: 'redo', undoWords: roles.undoWords,
      redoWords: roles.redoWords,
    }),
  };
}

/** Names of a text that holds one per line. */
export const namesIn = (text) => (text ?? '').split('\n').filter((name) => name !== '');

/** Action of a key: `undo`, `redo`, or null. */
export function undoKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  return key === 'y' && !event.shiftKey ? 'redo' : null;
}

/** Whether an element takes typed text, which the browser undoes itself. */
export function isTyping(target) {
  if (target?.isContentEditable || target?.tagName === 'TEXTAREA') return true;
  return target?.tagName === 'INPUT' && ['text', 'number', 'search', 'password', 'url', 'email'].includes(target.type);
}
