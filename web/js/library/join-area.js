import { groupName, monoGroups } from './ring.js';
import { lengthText } from './library.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { counted } from '../shared/numbers/units.js';

/** Joins mono files, one for each microphone, to a recording; hidden while there are none that fit. */
export class JoinArea {
  #shown = '';

  /** @param send called with the message in JSON */
  constructor(send) {
    this.send = send;
    this.list = element('ul', { class: 'join-groups', 'aria-label': 'Mono files that fit together' });
    this.element = element('details', { class: 'more archive', hidden: true }, element('summary', {}, 'Join mono files'),
      element('p', { class: 'help' }, 'Joins mono files of equal rate and length whose names differ only by a number into one '
        + 'recording, in the order of their numbers.'), this.list);
  }

  show(files) {
    const groups = monoGroups(files);
    const text = JSON.stringify(groups.map((group) => group.map(({ place, name }) => [place, name])));
    this.element.hidden = groups.length === 0;
    if (text === this.#shown) return;
    this.#shown = text;
    this.list.replaceChildren(...groups.map((group) => this.#row(group)));
  }

  #row(group) {
    const name = element('input', { type: 'text', id: uniqueId('join'), value: groupName(group), maxlength: 100, autocomplete: 'off' });
    const words = element('p', { class: 'help', role: 'status' });
    const button = element('button', {
      type: 'button', class: 'plain', 'aria-label': `Join ${group[0].name} to ${group.at(-1).name}`, onclick: () => {
        this.send(JSON.stringify({ files: group.map((file) => `${file.place}/${file.name}`), name: name.value.trim() }));
        setText(words, `${name.value.trim()}.wav appears when it is complete.`);
      },
    }, 'Join');
    return element('li', { class: 'join-group' },
      element('p', {}, element('strong', {}, `${group[0].name} to ${group.at(-1).name}`),
        ` ${counted(group.length, 'microphone')}, ${lengthText(group[0].sound.seconds)}`),
      element('div', { class: 'join-fields' }, element('label', { for: name.id }, 'Name of the recording'), name, button), words);
  }
}
