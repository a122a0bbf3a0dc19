import { kindFor, kinds } from './library.js';
import { UploadRow } from './upload-row.js';
import { confirmDialog } from '../shared/controls/confirm-dialog.js';
import { takeDrops } from '../shared/controls/file-drop.js';
import { onUploadKinds, uploadProblem } from '../shared/controls/upload-kinds.js';
import { element, setText } from '../shared/drawing/element.js';
import { sha256 } from '../shared/numbers/sha256.js';

/** Pages without TLS, other than those of this computer, have no cryptography. */
const digest = (buffer) => globalThis.crypto?.subtle?.digest('SHA-256', buffer) ?? sha256(buffer);

/** A place to drop files on, or to choose them, and the list of those that are being sent; hidden where this browser may not send any. */
export class UploadArea {
  #rows = new Set();
  #accepted = [];

  /**
   * @param wanted returns the kind of files that is shown, which counts where several fit
   * @param done called with the name and the kind of each file that was stored
   */
  constructor(page, world, wanted, done) {
    Object.assign(this, { page, world, wanted, done });
    this.confirm = confirmDialog(page);
    const chooser = element('input', { type: 'file', multiple: true, hidden: true, 'aria-hidden': 'true', tabindex: -1 });
    chooser.addEventListener('change', () => {
      this.#take(chooser.files);
      chooser.value = '';
    });
    this.words = element('p', { class: 'help', role: 'status' });
    this.list = element('ul', { class: 'library-uploads', 'aria-label': 'Files being sent' });
    this.element = element('div', { class: 'library-drop', hidden: true },
      element('p', {}, element('span', {}, 'Drop files here, or'),
        element('button', { type: 'button', class: 'plain', onclick: () => chooser.click() }, 'Choose files…')),
      chooser, this.words, this.list, this.confirm.element);
    onUploadKinds(page, (accepted) => {
      this.#accepted = accepted;
      this.element.hidden = accepted.length === 0;
      chooser.accept = [...new Set(accepted.flatMap(({ endings }) => endings))].map((ending) => `.${ending}`).join(',');
    });
    takeDrops(this.element, (files) => this.#take(files));
    page.onEnd(() => { for (const row of this.#rows) row.end(); });
  }

  #take(files) {
    setText(this.words, '');
    for (const file of files) {
      const kind = kindFor(file.name, this.#accepted, this.wanted());
      const problem = kind ? uploadProblem(kind, file) : `${file.name} was not sent: the library has no files of this kind.`;
      if (problem) setText(this.words, problem);
      else this.#send(file, kind.name, false);
    }
  }

  #send(file, kind, replaces) {
    const row = new UploadRow(file, kind, {
      fetch: (...request) => this.world.fetch(...request), digest, memory: globalThis.localStorage,
      later: (body, milliseconds) => setTimeout(body, milliseconds),
    }, {
      askToReplace: () => this.#askToReplace(file, kind),
      done: (name) => {
        setText(this.words, `${name} is stored.`);
        this.done(name, kind);
      },
      ended: (each) => {
        each.element.remove();
        this.#rows.delete(each);
      },
    }, replaces);
    this.#rows.add(row);
    this.list.append(row.element);
  }

  #askToReplace(file, kind) {
    this.confirm.ask(`Replace ${file.name}?`,
      `There is ${kinds[kind] ? `a file of that name among the ${kinds[kind][1].toLowerCase()}` : 'a file of that name'}. `
      + 'It is replaced once the new file has been received and checked.', 'Replace', () => this.#send(file, kind, true));
  }
}
