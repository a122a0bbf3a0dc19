import { control } from './control.js';
import { genericNodes } from './control-kind.js';
import { Device, effectTitle } from './device.js';
import { element, setText, uniqueId } from './element.js';
import { Page } from './page.js';
import { racksOf } from './rack.js';
import {
  before, behind, beside, besideNeighbour, earlier, formatLayout, later, parseLayout, slotsOf, without,
} from './rack-layout.js';

/**
 * The racks of effects: one at a time, as a row of devices with branches one below the other.
 *
 * Devices stay what they are while others come and go; `update(root)` takes another tree.
 */
export class RackCard {
  /** @param chosen the path of the rack to be shown first; the first one when there is none */
  constructor(page, chosen = null) {
    this.page = page;
    this.chosen = chosen ?? racksOf(page.root)[0]?.path ?? null;
    this.devices = new Map();
    this.row = element('div', { class: 'rack-row' });
    this.spoken = element('p', { class: 'unseen', role: 'status' });
    this.head = element('div', { class: 'rack-head' });
    const id = uniqueId('racks');
    this.element = element('section', { class: 'card racks', 'aria-labelledby': id },
      element('header', { class: 'card-head' }, element('h2', { id }, 'Effects'),
        element('p', { class: 'help' }, 'Devices are dragged by their grips, or moved by arrow keys; dropped on the lower half of '
          + 'another they stand beside it.')),
      this.head, this.row, this.spoken);
    this.update(page.root);
  }

  /** Takes the tree anew; devices whose slots have not changed go on. */
  update(root) {
    this.page.root = root;
    this.racks = racksOf(root);
    this.rack = this.racks.find(({ path }) => path === this.chosen) ?? this.racks[0];
    const slots = this.rack?.slots ?? new Map();
    for (const [number, device] of this.devices) {
      if (slots.get(number)?.shape === device.slot.shape && device.rackPath === this.rack.path) continue;
      device.end();
      this.devices.delete(number);
    }
    for (const [number, slot] of slots) {
      if (this.devices.has(number)) continue;
      const device = new Device(this.page, slot, this.#actions(number));
      device.rackPath = this.rack.path;
      this.devices.set(number, device);
    }
    this.#watchRack();
  }

  end() {
    this.own?.end();
    for (const device of this.devices.values()) device.end();
  }

  choose(path) {
    this.chosen = path;
    this.update(this.page.root);
  }

  #watchRack() {
    this.own?.end();
    this.own = new Page(this.page.root, this.page.values, this.page.deliver);
    if (!this.rack) return;
    this.head.replaceChildren(...this.#headParts());
    this.own.watch(this.rack.layout, ([text]) => this.#arrange(parseLayout(text)));
  }

  #headParts() {
    const { rack, own } = this;
    const name = uniqueId('rack');
    const tabs = element('div', { class: 'segments', role: 'radiogroup', 'aria-label': 'Which rack' },
      this.racks.map((each) => element('label', { class: 'segment' },
        element('input', {
          type: 'radio', name, value: each.path, checked: each === rack, onchange: () => this.choose(each.path),
        }), element('span', {}, each.title))));
    const picker = (node, first, text) => {
      const select = element('select', {
        'aria-label': node.title,
        onchange: () => {
          if (select.value) own.send(node, [select.value]);
          select.value = '';
        },
      }, element('option', { value: '' }, first), node.choices.map((choice) =>
        element('option', { value: choice }, text(choice))));
      return select;
    };
    const rest = genericNodes(rack.container).filter((node) => node.isReadable || node.type === 'N' || node.type === 's');
    return [tabs,
      element('div', { class: 'rack-tools' },
        rack.add && picker(rack.add, 'Add an effect', effectTitle),
        rack.preset?.choices?.length > 0 && picker(rack.preset, 'Load a preset', effectTitle),
        element('details', { class: 'more' }, element('summary', {}, 'Files'),
          element('div', { class: 'controls' }, rest.map((node) => control(own, node)))))].filter(Boolean);
  }

  /** Puts the devices where the layout has them. */
  #arrange(places) {
    this.places = places;
    let branch = 0;
    const device = (number) => this.devices.get(number)?.element;
    const parts = places.map((place) => {
      if (!place.rows) return device(place.slot);
      return element('div', { class: 'branches', role: 'group', 'aria-label': 'Side by side' }, place.rows.map((row) => {
        const mix = this.rack.branches[branch];
        branch += 1;
        return element('div', { class: 'branch' },
          element('div', { class: 'branch-row' },
            row.length > 0 ? row.map(device) : element('p', { class: 'branch-dry help' }, 'As it came')),
          mix ? element('div', { class: 'branch-mix' }, control(this.own, mix)) : null);
      }));
    });
    const hadFocus = this.row.contains(document.activeElement) ? document.activeElement : null;
    const empty = element('p', { class: 'help rack-empty' }, 'Nothing stands here: the sound passes as it is.');
    this.row.replaceChildren(...(parts.filter(Boolean).length > 0 ? parts.filter(Boolean) : [empty]));
    // A device that has moved keeps the focus, so that it can be moved on.
    hadFocus?.focus();
  }

  #actions(number) {
    const move = (change) => () => this.#send(change(this.places, number), number);
    return {
      earlier: move(earlier),
      later: move(later),
      beside: move(besideNeighbour),
      remove: move(without),
      drag: (event, handle) => this.#drag(event, handle, number),
    };
  }

  #send(places, number) {
    const text = formatLayout(places);
    if (text === formatLayout(this.places)) return;
    this.own.send(this.rack.layout, [text]);
    const place = slotsOf(places).indexOf(number);
    setText(this.spoken, place < 0 ? `Slot ${number} removed` : `Slot ${number} is number ${place + 1} of ${slotsOf(places).length}`);
  }

  /** Follows the pointer and shows where the device would go. */
  #drag(start, handle, number) {
    const own = this.devices.get(number).element;
    let target = null;
    const mark = (kind, element_) => {
      for (const each of this.row.querySelectorAll('[data-drop]')) each.removeAttribute('data-drop');
      if (kind) element_.setAttribute('data-drop', kind);
    };
    const over = (event) => {
      const device = document.elementFromPoint(event.clientX, event.clientY)?.closest('.device');
      if (!device || device === own || !this.row.contains(device)) return null;
      const box = device.getBoundingClientRect();
      const other = Number(device.dataset.slot);
      const isRow = getComputedStyle(this.row).flexDirection !== 'column';
      const across = isRow ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
      const isBeside = isRow ? event.clientY > box.top + box.height / 2 : across > 0.35 && across < 0.65;
      if (isBeside) return { kind: 'beside', device, places: beside(this.places, number, other) };
      return across < 0.5
        ? { kind: 'before', device, places: before(this.places, number, other) }
        : { kind: 'behind', device, places: behind(this.places, number, other) };
    };
    handle.setPointerCapture(start.pointerId);
    own.classList.add('is-dragged');
    const follow = (event) => {
      target = over(event);
      mark(target?.kind, target?.device);
    };
    const finish = (event) => {
      handle.removeEventListener('pointermove', follow);
      for (const name of ['pointerup', 'pointercancel']) handle.removeEventListener(name, finish);
      own.classList.remove('is-dragged');
      mark(null);
      if (event.type === 'pointerup' && target) this.#send(target.places, number);
    };
    handle.addEventListener('pointermove', follow);
    for (const name of ['pointerup', 'pointercancel']) handle.addEventListener(name, finish);
  }
}
