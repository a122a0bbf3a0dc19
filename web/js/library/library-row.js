import { coverPicture, titleOf } from './about.js';
import { addressOf, factsText, kindWord } from './library.js';
import { OutlinePicture } from './outline-picture.js';
import { isCorrectable, ringText } from './ring.js';
import { SpectrogramPicture } from './spectrogram-picture.js';
import { element } from '../shared/drawing/element.js';

/** Endings of sounds of which browsers play one or two channels. */
const playable = new Set(['wav', 'wave', 'flac', 'mp3', 'ogg', 'oga', 'opus']);

/** Whether a file is that of an array, of which two channels can be previewed. */
export const isArrayFile = ({ name, sound }) => sound?.channels > 2 && /\.(wave?|bwf|bw64|rf64)$/i.test(name);

/** Whether a file can be previewed. */
export function isPlayable(file) {
  const { name, sound } = file;
  return isArrayFile(file) || (sound?.channels <= 2 && playable.has(name.split('.').pop().toLowerCase()));
}

/**
 * A file in the list: its picture, its facts, and what can be done with it.
 *
 * @param actions `load`, `describe`, `correct` and `remove`, null where that is not possible, and `preview`; called with the file and the
 *   button; `choose` is called with a tag
 * @param fetch fetches a spectrogram to show instead of the outline; null for the outline
 */
export class LibraryRow {
  constructor(file, { load, describe, correct, remove, preview, choose }, fetch) {
    this.picture = !file.sound ? null : fetch ? new SpectrogramPicture(file, fetch) : new OutlinePicture(file.sound.outline);
    const { title, text, tags = [] } = file.about ?? {};
    const named = (verb) => `${verb} ${file.name}`;
    const button = (verb, action, name = verb) => element('button', {
      type: 'button', class: 'plain', 'aria-label': named(name), onclick: ({ currentTarget }) => action(file, currentTarget),
    }, verb);
    const changed = new Date(file.changed / 1e6);
    this.element = element('li', { class: 'library-file', 'data-file': `${file.place}/${file.name}` },
      element('div', { class: 'library-pictures' }, coverPicture(file),
        this.picture?.element ?? element('span', { class: 'library-kind', 'aria-hidden': 'true' }, kindWord(file.kind)[0])),
      element('div', { class: 'library-words' },
        element('strong', {}, titleOf(file)),
        element('p', { class: 'help' }, title ? `${file.name} · ` : '', factsText(file), ' · ',
          element('time', { datetime: changed.toISOString() }, changed.toLocaleDateString([], { dateStyle: 'medium' }))),
        text ? element('p', { class: 'library-text' }, text) : null,
        tags.length === 0 ? null : element('p', { class: 'library-tags' }, tags.map((tag) => element('button', {
          type: 'button', class: 'library-tag', 'aria-label': `Show files with the tag ${tag}`, onclick: () => choose(tag),
        }, tag))),
        ringText(file.sound?.ring) ? element('p', { class: 'library-problem library-ring' }, ringText(file.sound.ring), ' ',
          correct && isCorrectable(file.sound.ring) ? button('Write corrected copy', correct, 'Write a corrected copy of') : null) : null,
        file.problem ? element('p', { class: 'library-problem' }, file.problem) : null),
      element('div', { class: 'library-actions' },
        load ? button('Load', load) : null,
        isPlayable(file) ? button('Preview', preview) : null,
        file.isFolder ? null : element('a', {
          class: 'plain', href: addressOf(file), download: file.name.split('/').pop(), 'aria-label': named('Download'),
        }, 'Download'),
        describe ? button('Describe', describe) : null,
        remove ? button('Delete', remove) : null));
  }

  end() {
    this.picture?.end();
  }
}
