import { aboutMessage, coverAddress, titleOf } from './about.js';
import { onUploadKind, uploadProblem } from '../shared/controls/upload-kinds.js';
import { questionDialog } from '../shared/controls/question-dialog.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';

/** Pixels of the chosen picture along a side. */
const previewSize = 144;

/** The dialog in which a file gets a title, text, tags and a picture. */
export class AboutEditor {
  #file = null;
  /** The picture that was chosen; null to remove the current one, undefined to keep it. */
  #cover = undefined;

  /**
   * @param send called with the message in JSON
   * @param failed called with the reason why the picture was not sent
   */
  constructor(page, world, send, failed) {
    Object.assign(this, { world, send, failed });
    this.title = element('input', { type: 'text', id: uniqueId('about'), maxlength: 200, autocomplete: 'off' });
    this.tags = element('input', {
      type: 'text', id: uniqueId('about'), maxlength: 840, autocomplete: 'off', placeholder: 'birds, garden',
    });
    this.text = element('textarea', { id: uniqueId('about'), rows: 4, maxlength: 4000 });
    this.chooser = element('input', { type: 'file', hidden: true, 'aria-hidden': 'true', tabindex: -1, onchange: () => this.#choose() });
    this.picture = element('img', { class: 'about-cover', alt: 'Picture of the file', hidden: true });
    this.preview = element('canvas', {
      class: 'about-cover', width: previewSize, height: previewSize, role: 'img', 'aria-label': 'Chosen picture', hidden: true,
    });
    this.remove = element('button', { type: 'button', class: 'plain', onclick: () => this.#setCover(null) }, 'Remove picture');
    this.problem = element('p', { class: 'library-problem', role: 'status' });
    const field = (title, input) => element('div', { class: 'about-field' }, element('label', { for: input.id }, title), input);
    this.dialog = questionDialog(page,
      field('Title', this.title), field('Tags, separated by commas', this.tags), field('Text', this.text),
      element('div', { class: 'about-picture' }, this.picture, this.preview,
        element('button', { type: 'button', class: 'plain', onclick: () => this.chooser.click() }, 'Choose picture…'),
        this.remove, this.chooser),
      this.problem);
    this.dialog.element.classList.add('about-editor');
    this.element = this.dialog.element;
    onUploadKind(page, 'covers', (kind) => {
      this.kind = kind;
      this.chooser.accept = (kind?.endings ?? []).map((ending) => `.${ending}`).join(',');
    });
  }

  open(file, button) {
    this.#file = file;
    this.title.value = file.about?.title ?? '';
    this.tags.value = (file.about?.tags ?? []).join(', ');
    this.text.value = file.about?.text ?? '';
    this.title.placeholder = file.name;
    setText(this.problem, '');
    this.#setCover(undefined);
    this.dialog.open(`Describe ${titleOf(file)}`, 'Keep', () => {
      button.focus();
      this.#keep();
    });
  }

  #choose() {
    const [picture] = this.chooser.files;
    this.chooser.value = '';
    if (!picture || !this.kind) return;
    const problem = uploadProblem(this.kind, picture);
    setText(this.problem, problem ?? '');
    if (!problem) this.#setCover(picture);
  }

  #setCover(cover) {
    this.#cover = cover;
    const address = cover === undefined ? coverAddress(this.#file) : null;
    this.picture.hidden = !address;
    this.preview.hidden = !cover;
    this.remove.hidden = !address && !cover;
    if (address) this.picture.src = address;
    if (cover) this.#draw(cover);
  }

  /** Draws the middle of a picture; the server's policy for contents admits no address of a chosen file. */
  async #draw(cover) {
    const context = this.preview.getContext('2d');
    context.clearRect(0, 0, previewSize, previewSize);
    try {
      const image = await createImageBitmap(cover);
      if (this.#cover !== cover) return;
      const side = Math.min(image.width, image.height);
      context.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, previewSize, previewSize);
      image.close();
    } catch {
      if (this.#cover === cover) setText(this.problem, `${cover.name} is not a picture that this browser can show.`);
    }
  }

  async #keep() {
    const file = this.#file;
    const fields = { title: this.title.value, text: this.text.value, tags: this.tags.value };
    let cover = this.#cover;
    if (cover) {
      const name = `${Date.now().toString(36)}.${cover.name.split('.').pop().toLowerCase()}`;
      try {
        const response = await this.world.fetch(`/files/covers/${name}?replace`, { method: 'POST', body: cover });
        if (!response.ok) return this.failed(`The picture was not stored: ${(await response.text()).trim()}.`);
      } catch {
        return this.failed('The picture was not stored: the connection was lost. Try again.');
      }
      cover = name;
    }
    return this.send(aboutMessage(file, { ...fields, cover }));
  }
}
