import { isDescribable, tagsOf } from './about.js';
import { AboutEditor } from './about-editor.js';
import { ArchiveArea } from './archive-area.js';
import { arrayPreview } from './array-preview.js';
import { addressOf, chosen, kinds, orders, totalText } from './library.js';
import { JoinArea } from './join-area.js';
import { LibraryRow, isArrayFile } from './library-row.js';
import { UploadArea } from './upload-area.js';
import { card } from '../shared/controls/card.js';
import { confirmDialog } from '../shared/controls/confirm-dialog.js';
import { sizeText } from '../shared/controls/upload-kinds.js';
import { arrange, element, setText, uniqueId } from '../shared/drawing/element.js';
import { counted } from '../shared/numbers/units.js';
import { roles } from '../shared/tree/roles.js';

/** The media library: all files of the engine, to search, send, load and delete. */
export default {
  topic: 'library', needs: [roles.libraryChanges, roles.libraryDelete], owns: 'subtree', isWide: true,
  make: (page, nodes, { world }) => new LibraryCard(page, nodes, world).element,
};

/** Files that are shown before the list is asked for more. */
const fewest = 50;

/** The pictures that were chosen last. */
let chosenPicture = 'outline';

/** The name of a session. */
const stem = (name) => name.replace(/\.json$/, '');

class LibraryCard {
  #rows = new Map();
  #list = { files: [], size: 0, waiting: 0 };
  #most = fewest;
  #turn = 0;

  constructor(page, [changes, remove], world) {
    Object.assign(this, { page, remove, world });
    this.confirm = confirmDialog(page);
    this.search = element('input', {
      type: 'text', role: 'searchbox', id: uniqueId('library'), placeholder: 'Search', 'aria-label': 'Search the library',
      autocomplete: 'off', spellcheck: 'false', oninput: () => this.#showFirst(),
    });
    this.kind = this.#choice('Kind', [['', 'All kinds'], ...Object.entries(kinds).map(([kind, [, many]]) => [kind, many])]);
    this.order = this.#choice('Order', Object.entries(orders).map(([order, { title }]) => [order, title]));
    this.tag = this.#choice('Tag', [['', 'All tags']]);
    this.picture = this.#choice('Picture', [['outline', 'Waveforms'], ['spectrogram', 'Spectrograms']]);
    this.picture.value = chosenPicture;
    this.picture.addEventListener('change', () => { chosenPicture = this.picture.value; });
    this.total = element('p', { class: 'help', role: 'status' }, 'The list is being read.');
    const trash = page.root.find(roles.libraryEmptyTrash);
    this.empty = trash && element('button', { type: 'button', class: 'plain', hidden: true, onclick: () => this.#emptyTrash(trash) },
      'Empty trash…');
    this.files = element('ul', { class: 'library-files', 'aria-label': 'Files' });
    this.more = element('button', { type: 'button', class: 'plain', hidden: true, onclick: () => this.#showMore() });
    this.player = element('audio', { controls: true, hidden: true, class: 'library-player', 'aria-label': 'Preview' });
    const about = page.root.find(roles.libraryAbout);
    this.editor = about && new AboutEditor(page, world, (message) => page.send(about, [message]), (reason) => setText(this.total, reason));
    this.correct = page.root.find(roles.libraryCorrect);
    const join = page.root.find(roles.libraryJoin);
    this.join = join && new JoinArea((message) => page.send(join, [message]));
    this.archive = this.#archive();
    this.uploads = new UploadArea(page, world, () => this.kind.value, (name, kind) => {
      if (kind === 'archives') this.archive?.import(name);
    });
    this.element = card('Library', 'All files on this engine. Uploads are checked, and can be loaded at once.',
      this.uploads.element, this.archive?.element, this.join?.element,
      element('div', { class: 'library-choices' }, this.search, this.kind, this.tag, this.order, this.picture),
      this.total, this.empty, this.player, this.files, this.more, this.confirm.element, this.editor?.element);
    page.watch(changes, () => this.#fetch());
    page.onEnd(() => {
      this.#turn = -1;
      this.player.pause();
      for (const { row } of this.#rows.values()) row.end();
    });
  }

  /** Archives; null for an engine without them. */
  #archive() {
    const find = (role) => this.page.root.find(role);
    const nodes = {
      exporting: find(roles.archiveExport), importing: find(roles.archiveImport), cancel: find(roles.archiveCancel),
      state: find(roles.archiveState),
    };
    return Object.values(nodes).every(Boolean) ? new ArchiveArea(this.page, nodes) : null;
  }

  #choice(title, entries) {
    return element('select', { 'aria-label': title, onchange: () => this.#showFirst() },
      entries.map(([value, text]) => element('option', { value }, text)));
  }

  async #fetch() {
    this.#turn += 1;
    const turn = this.#turn;
    try {
      const response = await this.world.fetch('/library', { headers: { Accept: 'application/json' }, cache: 'no-store' });
      if (turn !== this.#turn) return;
      if (response.ok) {
        this.#list = await response.json();
        if (turn !== this.#turn) return;
        this.join?.show(this.#list.files);
        this.#show();
      } else if (response.status !== 503) {
        // The engine has not read its folders yet, and reports when it has.
        setText(this.total, `The library cannot be listed: ${(await response.text()).trim()}.`);
      }
    } catch {
      if (turn === this.#turn) setText(this.total, 'The library cannot be listed: the connection was lost.');
    }
  }

  #showFirst() {
    this.#most = fewest;
    this.#show();
  }

  #showMore() {
    this.#most += fewest;
    this.#show();
    this.files.children[this.#most - fewest]?.querySelector('button, a')?.focus();
  }

  /** Offers the tags that there are. */
  #showTags() {
    const [tags, present] = [tagsOf(this.#list.files), this.tag.value];
    const wanted = ['', ...tags];
    if (wanted.join('\n') !== [...this.tag.options].map(({ value }) => value).join('\n')) {
      this.tag.replaceChildren(...wanted.map((tag) => element('option', { value: tag }, tag || 'All tags')));
      this.tag.value = tags.includes(present) ? present : '';
    }
    this.tag.hidden = tags.length === 0;
  }

  #show() {
    this.#showTags();
    const found = chosen(this.#list.files, {
      search: this.search.value, kind: this.kind.value, tag: this.tag.value, order: this.order.value,
    });
    const isAll = found.length === this.#list.files.length;
    setText(this.total, this.#list.files.length === 0 ? 'No files yet. Drop some here.'
      : isAll ? totalText(this.#list)
        : found.length === 0 ? 'No file matches.' : `${counted(found.length, 'file')} found.`);
    const shown = found.slice(0, this.#most);
    const rows = new Map();
    for (const file of shown) {
      const [name, text] = [`${file.place}/${file.name}`, `${this.picture.value} ${JSON.stringify(file)}`];
      const known = this.#rows.get(name);
      rows.set(name, known?.text === text ? known : { text, row: this.#row(file) });
    }
    for (const [name, known] of this.#rows) if (rows.get(name) !== known) known.row.end();
    this.#rows = rows;
    arrange(this.files, [...rows.values()].map(({ row }) => row.element));
    if (this.empty) this.empty.hidden = !this.#list.trash;
    this.more.hidden = shown.length === found.length;
    setText(this.more, `Show ${Math.min(fewest, found.length - shown.length)} more of ${counted(found.length, 'file')}`);
  }

  #row(file) {
    return new LibraryRow(file, {
      load: this.#loading(file), remove: this.#deleting(file), preview: (each) => this.#preview(each),
      describe: this.editor && isDescribable(file) ? (each, button) => this.editor.open(each, button) : null,
      correct: this.correct && (() => this.page.send(this.correct, [`${file.place}/${file.name}`])),
      choose: (tag) => {
        this.tag.value = tag;
        this.#showFirst();
      },
    }, this.picture.value === 'spectrogram' ? (address) => this.world.fetch(address) : null);
  }

  #emptyTrash(node) {
    this.confirm.ask('Empty the trash?', `${sizeText(this.#list.trash)} of files and takes are permanently deleted.`, 'Empty', () => {
      this.search.focus();
      this.page.send(node, []);
    });
  }

  /** Loads a file, in a question where that replaces something; null for kinds that are chosen where they are used. */
  #loading({ kind, name, path }) {
    const node = {
      recordings: roles.recording, takes: roles.recording, videos: roles.videoFile, sessions: roles.sessionLoad, rooms: roles.roomLoad,
      hrtf: roles.hrtfFile,
    }[kind];
    const target = node && this.page.root.find(node);
    if (!target || (kind === 'takes' && !/\/array\.[^/]*$/.test(name))) return null;
    const question = {
      sessions: [`Load ${stem(name)}?`, 'It replaces the current state. This can be undone.'],
      rooms: [`Load the room ${stem(name)}?`, 'It replaces the current room and turns it on. This can be undone.'],
      hrtf: [`Load ${name} for the first listener?`, 'It replaces the HRTF of that listener. This can be undone.'],
    }[kind];
    if (!question) return () => this.page.send(target, [path ?? name]);
    return (_, button) => this.confirm.ask(...question, 'Load', () => {
      button.focus();
      this.page.send(target, [kind === 'sessions' ? stem(name) : path ?? name]);
    });
  }

  async #preview(file) {
    if (this.player.src.startsWith('blob:')) URL.revokeObjectURL(this.player.src);
    try {
      this.player.src = isArrayFile(file) ? URL.createObjectURL(await arrayPreview(this.world.fetch, addressOf(file))) : addressOf(file);
    } catch (error) {
      setText(this.total, error.message);
      return;
    }
    this.player.hidden = false;
    this.player.setAttribute('aria-label', `Preview of ${file.name}`);
    this.player.play().catch(() => {});
  }

  /** Deletes a file after a question; null for those that are only read. Sessions are deleted as on their page. */
  #deleting({ kind, name, place, isReadOnly }) {
    const node = kind === 'sessions' ? this.page.root.find(roles.sessionDelete) : this.remove;
    if (!node || (isReadOnly && kind !== 'sessions')) return null;
    return (_, button) => this.confirm.ask(`Delete ${name}?`,
      'It goes to the trash. Its space is free once the trash has been emptied.', 'Delete', () => {
        button.focus();
        this.page.send(node, [kind === 'sessions' ? stem(name) : `${place}/${name}`]);
      });
  }
}
