import { element, setText } from '../drawing/element.js';
import { confirmDialog } from './confirm-dialog.js';
import { takeDrops } from './file-drop.js';
import { onUploadKind, sizeText, uploadProblem } from './upload-kinds.js';

/**
 * A button that sends a file to the engine, and a target to drop one on; hidden where this browser may not send files.
 *
 * @param kind name of the kind of files
 * @param names returns the names that exist, of which none is replaced without a question
 * @param done called with the name of a file that the engine has stored
 * @param target element that takes dropped files as well
 * @param isQuiet whether nothing is shown before a file is dropped on the target, nor after it was stored
 */
export function uploadButton(page, kind, { names = () => [], done = () => {}, target = null, isQuiet = false }) {
  const confirm = confirmDialog(page);
  const chooser = element('input', { type: 'file', hidden: true, 'aria-hidden': 'true', tabindex: -1 });
  const words = element('span', { class: 'help upload-words', role: 'status' });
  const bar = element('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Share that was sent' });
  const button = element('button', {
    type: 'button', class: 'plain', onclick: () => (request ? request.abort() : chooser.click()),
  }, 'Upload…');
  const made = element('div', { class: isQuiet ? 'upload upload-quiet' : 'upload', hidden: true },
    button, chooser, bar, words, confirm.element);
  let accepted = null;
  let request = null;

  const limit = () => `Up to ${sizeText(accepted.most)}: ${accepted.endings.join(', ')}`;
  function showWords(text) {
    setText(words, text);
    if (isQuiet) made.hidden = text === '';
  }

  function end(text) {
    request = null;
    button.hidden = isQuiet;
    bar.hidden = true;
    setText(button, 'Upload…');
    showWords(text);
  }

  function send(file, replaces) {
    const sent = new XMLHttpRequest();
    request = sent;
    setText(button, 'Cancel');
    button.hidden = false;
    showWords(`Sending ${file.name}`);
    [bar.value, bar.hidden] = [0, false];
    sent.upload.onprogress = ({ loaded, total }) => {
      bar.value = total > 0 ? loaded / total : 0;
      if (loaded === total) showWords(`Checking ${file.name}`);
    };
    sent.onabort = () => end(`${file.name} was not sent.`);
    sent.onerror = () => end(`${file.name} was not sent: the connection was lost. Try again.`);
    sent.onload = () => {
      if (sent.status === 201) {
        end(isQuiet ? '' : `${file.name} is stored.`);
        done(JSON.parse(sent.responseText).name);
      } else if (sent.status === 409 && !replaces && !sent.responseText.includes('is being sent')) {
        end('');
        askToReplace(file);
      } else end(sent.responseText.trim() || `${file.name} was not stored (status ${sent.status}).`);
    };
    sent.open('POST', `/files/${kind}/${encodeURIComponent(file.name)}${replaces ? '?replace' : ''}`);
    sent.send(file);
  }

  const askToReplace = (file) => confirm.ask(`Replace ${file.name}?`,
    'There is a file of that name. It is replaced once the new file has been received and checked.', 'Replace', () => send(file, true));

  function take(file) {
    if (!file || !accepted || request) return;
    const problem = uploadProblem(accepted, file);
    if (problem) showWords(problem);
    else if (names().includes(file.name)) askToReplace(file);
    else send(file, false);
  }

  chooser.addEventListener('change', () => {
    take(chooser.files[0]);
    chooser.value = '';
  });
  button.hidden = isQuiet;
  takeDrops(target ?? made, ([file]) => take(file), () => accepted !== null);
  onUploadKind(page, kind, (found) => {
    accepted = found ?? null;
    made.hidden = isQuiet || !accepted;
    if (isQuiet || !accepted) return;
    chooser.accept = accepted.endings.map((ending) => `.${ending}`).join(',');
    button.title = limit();
    if (!words.textContent) setText(words, limit());
  });
  page.onEnd(() => request?.abort());
  return made;
}
