import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { listenerTitle } from './listener-words.js';
import { batteryText, bufferText, clientText, linkText } from './phone-words.js';

/** Facts about a phone, in their order. */
const facts = { client: 'Client', battery: 'Battery', link: 'Link', buffer: 'Buffer' };

/** A phone in the list: its state, and what can be done with it. Calls `mute`, `group` and `rename` with the listener. */
export class PhoneRow {
  /** @param groups number of groups to choose from */
  constructor(groups, { mute, group, rename }) {
    this.name = element('span', { class: 'phone-name' });
    this.texts = Object.fromEntries(Object.keys(facts).map((name) => [name, element('dd')]));
    this.lines = Object.fromEntries(Object.entries(facts).map(([name, title]) =>
      [name, element('div', {}, element('dt', {}, title), this.texts[name])]));
    this.mute = element('button', { type: 'button', class: 'plain', onclick: () => mute(this.listener) }, 'Mute');
    this.rename = element('button', { type: 'button', class: 'plain', onclick: () => rename(this.listener) }, 'Rename');
    this.group = element('select', { onchange: () => group(this.listener, Number(this.group.value)) },
      Array.from({ length: groups + 1 }, (_, number) => element('option', { value: number }, number ? `Group ${number}` : 'No group')));
    this.element = element('li', { class: 'phone-entry' }, this.name, element('dl', {}, Object.values(this.lines)),
      element('div', { class: 'phone-commands' }, this.mute, this.rename, this.group));
  }

  /** @param groupTitle title of a group by its number */
  show(listener, groupTitle) {
    this.listener = listener;
    const title = listenerTitle(listener);
    this.name.replaceChildren(element('b', {}, String(listener.number)), listener.name || '');
    const { client, stream } = listener;
    const texts = {
      client: clientText(client), battery: batteryText(client), link: linkText(stream, client), buffer: bufferText(stream, client),
    };
    for (const [name, text] of Object.entries(texts)) setText(this.texts[name], text);
    this.lines.battery.hidden = !texts.battery;
    setAttribute(this.mute, 'aria-pressed', listener.isMuted);
    for (const [button, word] of [[this.mute, 'Mute'], [this.rename, 'Rename']]) setAttribute(button, 'aria-label', `${word} ${title}`);
    setAttribute(this.group, 'aria-label', `Group of ${title}`);
    for (const option of [...this.group.options].slice(1)) setText(option, groupTitle(Number(option.value)));
    if (document.activeElement !== this.group) this.group.value = String(listener.group);
  }
}
