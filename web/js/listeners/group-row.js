import { element, setAttribute, setText, uniqueId } from '../shared/drawing/element.js';
import { roles } from '../shared/tree/roles.js';
import { nodesByRole } from '../shared/tree/tree.js';
import { membersText } from './phone-words.js';

const nodeRoles = {
  name: roles.groupName, delay: roles.groupDelay, mute: roles.groupMute, move: roles.groupMove, members: roles.groupMembers,
  recording: roles.groupRecording,
};

/** A group of listeners: its name, delay and members, and what is done with all of them at once. */
export class GroupRow {
  /**
   * @param move called with the number of another group, 0 for none
   * @param packages promise of the packed recordings, `[{ path, title }]`
   */
  constructor(page, container, move, packages) {
    this.page = page;
    this.number = Number(container.name);
    this.nodes = nodesByRole(container, nodeRoles);
    const { name, delay, mute, members, recording } = this.nodes;
    const id = uniqueId('group');
    const field = element('input', {
      type: 'text', maxlength: 60, autocomplete: 'off', spellcheck: 'false', 'aria-label': `Name of group ${this.number}`,
      placeholder: `Group ${this.number}`, onchange: () => page.send(name, [field.value.trim()]),
    });
    const time = element('input', {
      type: 'number', id, min: 0, max: 1000, step: 10, onchange: () => page.send(delay, [Number(time.value)]),
    });
    const silence = element('button', {
      type: 'button', class: 'plain', 'aria-label': `Mute group ${this.number}`,
      onclick: () => page.send(mute, [silence.getAttribute('aria-pressed') !== 'true']),
    }, 'Mute');
    const count = element('span', { class: 'phone-members' });
    const target = element('select', { 'aria-label': `Move group ${this.number}`, onchange: () => {
      if (target.value !== '') move(Number(target.value));
      target.value = '';
    } }, element('option', { value: '' }, 'Move all to …'), element('option', { value: 0 }, 'No group'),
    page.root.findAll(roles.groupMove).filter((node) => node.parent !== container)
      .map((node) => element('option', { value: node.parent.name }, `Group ${node.parent.name}`)));
    this.element = element('li', { class: 'phone-group' }, field,
      element('label', { for: id }, 'Delay ', time, ' ms'), count,
      element('div', { class: 'phone-commands' }, silence, target), recording && this.#sources(recording, packages));
    page.watch(name, ([value]) => { if (document.activeElement !== field) field.value = value ?? ''; });
    page.watch(delay, ([value]) => { if (document.activeElement !== time) time.value = Math.round(value ?? 0); });
    page.watch(mute, ([value]) => setAttribute(silence, 'aria-pressed', Boolean(value)));
    page.watch(members, ([value]) => {
      setText(count, membersText(value ?? 0));
      silence.disabled = target.disabled = !(value > 0) && silence.getAttribute('aria-pressed') !== 'true';
    });
  }

  /** The recordings that the members can play; hidden while there are none. */
  #sources(node, packages) {
    const list = element('select', {
      'aria-label': `Recording of group ${this.number}`, onchange: () => this.page.send(node, [list.value]),
    }, element('option', { value: '' }, 'The engine’s sound'));
    const line = element('label', { class: 'phone-recording', hidden: true }, 'Plays ', list);
    const show = () => {
      const wanted = this.page.values.of(node)[0] ?? '';
      // One that is not there any more is named as well.
      if (![...list.options].some(({ value }) => value === wanted)) list.append(element('option', { value: wanted }, wanted));
      if (document.activeElement !== list) list.value = wanted;
      line.hidden = list.options.length < 2;
    };
    this.page.watch(node, show);
    packages.then((all) => {
      for (const { path, title } of all) {
        const known = [...list.options].find(({ value }) => value === path);
        if (known) setText(known, title);
        else list.append(element('option', { value: path }, title));
      }
      show();
    });
    return line;
  }

  get title() {
    const [name] = this.page.values.of(this.nodes.name);
    return name ? `${this.number} ${name}` : `Group ${this.number}`;
  }
}
