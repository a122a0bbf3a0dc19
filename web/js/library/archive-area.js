import {
  archiveDetails, archiveKinds, archiveKindTitle, archiveState, archiveText, exportAddress, isArchiveBusy,
} from './archive.js';
import { onUploadKind } from '../shared/controls/upload-kinds.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';

/**
 * The export of all files as one archive; archives are imported by being dropped among the other files. Hidden where this browser may
 * not control.
 */
export class ArchiveArea {
  /** @param nodes `exporting`, `importing`, `cancel`, `state` */
  constructor(page, nodes) {
    Object.assign(this, { page, nodes });
    this.boxes = Object.entries(archiveKinds).map(([kind, isChosen]) => {
      const id = uniqueId('archive');
      const box = element('input', { type: 'checkbox', id, value: kind, checked: isChosen, onchange: () => this.#show() });
      return { box, element: element('span', { class: 'archive-kind' }, box, element('label', { for: id }, archiveKindTitle(kind))) };
    });
    this.start = element('button', { type: 'button', class: 'plain', onclick: () => this.#export() }, 'Export');
    this.cancel = element('button', { type: 'button', class: 'plain', onclick: () => page.send(nodes.cancel, []) }, 'Cancel');
    this.bar = element('progress', { max: 1, 'aria-label': 'Progress of the archive' });
    this.words = element('p', { class: 'help', role: 'status' });
    this.link = element('a', { class: 'plain', download: '' }, 'Download archive');
    this.details = element('ul', { class: 'archive-details' });
    this.element = element('details', { class: 'more archive', hidden: true }, element('summary', {}, 'Archive'),
      element('p', { class: 'help' }, 'All files in one archive, as a backup or for another engine. To import an archive, drop it above: '
        + 'its files are added, and nothing is replaced.'),
      element('fieldset', { class: 'archive-kinds' }, element('legend', {}, 'Files to export'), this.boxes.map((each) => each.element)),
      element('div', { class: 'archive-actions' }, this.start, this.cancel, this.link), this.bar, this.words, this.details);
    onUploadKind(page, 'archives', (kind) => { this.element.hidden = !kind; });
    page.watch(nodes.state, () => this.#show());
  }

  /** Imports an archive that was sent. */
  import(name) {
    this.element.open = true;
    this.page.send(this.nodes.importing, [name]);
  }

  #export() {
    this.page.send(this.nodes.exporting, [this.#chosen.join(' ')]);
  }

  get #chosen() {
    return this.boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
  }

  #show() {
    const state = archiveState(this.page.values.of(this.nodes.state)[0]);
    const isBusy = isArchiveBusy(state);
    this.start.disabled = isBusy || this.#chosen.length === 0;
    this.cancel.hidden = !isBusy;
    this.bar.hidden = !isBusy;
    this.bar.value = state?.share ?? 0;
    setText(this.words, archiveText(state));
    this.words.classList.toggle('is-wrong', state?.phase === 'failed');
    this.link.hidden = state?.phase !== 'exported';
    if (!this.link.hidden) this.link.href = exportAddress(state);
    this.details.replaceChildren(...archiveDetails(state).map(([file, text]) =>
      element('li', {}, element('strong', {}, file), ` ${text}`)));
    // A page that is opened while something happens shows it.
    if (isBusy) this.element.open = true;
  }
}
