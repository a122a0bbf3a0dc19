import { TusUpload } from './tus-upload.js';
import { sizeText } from '../shared/controls/upload-kinds.js';
import { element, setText } from '../shared/drawing/element.js';

/**
 * A file that is being sent: its progress, with buttons to pause and to cancel.
 *
 * @param world what `TusUpload` needs
 * @param events `askToReplace()`, `done(name)`, `ended(row)`
 * @param replaces whether a file of this name is replaced
 */
export class UploadRow {
  constructor(file, kind, world, events, replaces = false) {
    this.events = events;
    this.file = file;
    this.words = element('span', { class: 'help', role: 'status' });
    this.bar = element('progress', { max: 1, value: 0, 'aria-label': `Share of ${file.name} that was sent` });
    this.pause = element('button', { type: 'button', class: 'plain', onclick: () => this.#toggle() }, 'Pause');
    this.cancel = element('button', {
      type: 'button', class: 'plain', 'aria-label': `Cancel ${file.name}`, onclick: () => this.#cancel(),
    }, 'Cancel');
    this.element = element('li', { class: 'library-upload' },
      element('strong', {}, file.name), this.bar, this.words, element('span', { class: 'library-actions' }, this.pause, this.cancel));
    this.upload = new TusUpload(file, kind, world, {
      progress: (share, words) => {
        this.bar.value = share;
        setText(this.words, `${words}: ${sizeText(share * file.size)} of ${sizeText(file.size)}`);
      },
      done: (name) => {
        events.done(name);
        events.ended(this);
      },
      refused: (text, status) => this.#refuse(text, status),
      interrupted: (text) => {
        setText(this.words, `Paused: ${text}`);
        setText(this.pause, 'Continue');
      },
    });
    this.upload.replaces = replaces;
    this.upload.start();
  }

  #toggle() {
    if (this.upload.isPaused) this.upload.start();
    else this.upload.pause();
    setText(this.pause, this.upload.isPaused ? 'Continue' : 'Pause');
  }

  #cancel() {
    this.upload.cancel();
    this.events.ended(this);
  }

  #refuse(text, status) {
    if (status === 409) {
      this.events.ended(this);
      this.events.askToReplace();
      return;
    }
    this.bar.hidden = true;
    this.pause.hidden = true;
    setText(this.cancel, 'Close');
    this.words.classList.add('is-wrong');
    setText(this.words, `${this.file.name} was not stored: ${text}.`.replace(/\.\.$/, '.'));
  }

  /** The page ends: what was sent is kept, and continues when the file is chosen again. */
  end() {
    if (!this.upload.isPaused) this.upload.pause();
  }
}
