import { control } from '../shared/controls/control.js';
import { genericNodes } from '../shared/controls/control-kind.js';
import { EffectPanel, effectTitle } from './effect-panel.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { Page } from '../shared/tree/page.js';
import { racksOf } from './rack.js';
import {
  before, behind, beside, besideNeighbour, earlier, formatLayout, later, parseLayout, slotsOf, without,
} from './rack-layout.js';
import { roles } from '../shared/tree/roles.js';

/** The racks of effects. */
export default {
  topic: 'effects',
  needs: [roles.rackLayout],
  shows: [roles.rackLayout, roles.rackAdd, roles.rackRemove, roles.rackPreset, roles.slotBypass, roles.slotMix,
    roles.slotLevel, roles.slotReduction, roles.slotInterval, roles.slotState, roles.slotProgress],
  owns: 'subtree',
  isWide: true,
  make(page, nodes, { memory }) {
    const racks = new RacksCard(page, memory.get('rack'));
    page.onUpdate((root) => racks.update(root));
    page.onEnd(() => {
      memory.set('rack', racks.chosen);
      racks.end();
    });
    return racks.element;
  },
};

/**
 * The racks of effects: one at a time, as a row of effects with parallel branches one below the other.
 *
 * Effects keep their elements while others are added and removed; `update(root)` takes another tree.
 */
class RacksCard {
  /** @param chosen path of the rack to show; the first one by default */
  constructor(page, chosen = null) {
    this.page = page;
    this.chosen = chosen ?? racksOf(page.root)[0]?.path ?? null;
    this.effects = new Map();
    this.row = element('div', { class: 'rack-row' });
    this.spoken = element('p', { class: 'unseen', role: 'status' });
    this.head = element('div', { class: 'rack-head' });
    const id = uniqueId('racks');
    this.element = element('section', { class: 'card racks', 'aria-labelledby': id },
      element('header', { class: 'card-head' }, element('h2', { id }, 'Effects'),
        element('p', { class: 'help' },
          'Drag an effect by its grip, or focus the grip and use the arrow keys. Drop it on the lower half of another effect '
          + 'to run both in parallel.')),
      this.head, this.row, this.spoken);
    this.update(page.root);
  }

  /** Takes another tree; effects whose slots have not changed are kept. */
  update(root) {
    this.page.root = root;
    this.racks = racksOf(root);
    this.rack = this.racks.find(({ path }) => path === this.chosen) ?? this.racks[0];
    const slots = this.rack?.slots ?? new Map();
    for (const [number, effect] of this.effects) {
      if (slots.get(number)?.shape === effect.slot.shape && effect.rackPath === this.rack.path) continue;
      effect.end();
      this.effects.delete(number);
    }
    for (const [number, slot] of slots) {
      if (this.effects.has(number)) continue;
      const effect = new EffectPanel(this.page, slot, this.#actions(number));
      effect.rackPath = this.rack.path;
      this.effects.set(number, effect);
    }
    this.#watchRack();
  }

  end() {
    this.own?.end();
    for (const effect of this.effects.values()) effect.end();
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
    const tabs = element('div', { class: 'segments', role: 'radiogroup', 'aria-label': 'Rack' },
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
        element('details', { class: 'more' }, element('summary', {}, 'Preset files'),
          element('div', { class: 'controls' }, rest.map((node) => control(own, node)))))].filter(Boolean);
  }

  /** Arranges the effects by the layout. */
  #arrange(places) {
    this.places = places;
    let branch = 0;
    const effect = (number) => this.effects.get(number)?.element;
    const parts = places.map((place) => {
      if (!place.rows) return effect(place.slot);
      return element('div', { class: 'branches', role: 'group', 'aria-label': 'In parallel' }, place.rows.map((row) => {
        const mix = this.rack.branches[branch];
        branch += 1;
        return element('div', { class: 'branch' },
          element('div', { class: 'branch-row' },
            row.length > 0 ? row.map(effect) : element('p', { class: 'branch-dry help' }, 'Dry signal')),
          mix ? element('div', { class: 'branch-mix' }, control(this.own, mix)) : null);
      }));
    });
    const hadFocus = this.row.contains(document.activeElement) ? document.activeElement : null;
    const empty = element('p', { class: 'help rack-empty' }, 'No effects yet. Sound passes unchanged. Choose one from “Add an effect”.');
    this.row.replaceChildren(...(parts.filter(Boolean).length > 0 ? parts.filter(Boolean) : [empty]));
    // A moved effect keeps the focus, so that it can be moved further.
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
    setText(this.spoken,
      place < 0 ? `Slot ${number} removed` : `Slot ${number} moved to position ${place + 1} of ${slotsOf(places).length}`);
  }

  /** Follows the pointer and marks where the effect would be dropped. */
  #drag(start, handle, number) {
    const own = this.effects.get(number).element;
    let target = null;
    const mark = (kind, element_) => {
      for (const each of this.row.querySelectorAll('[data-drop]')) each.removeAttribute('data-drop');
      if (kind) element_.setAttribute('data-drop', kind);
    };
    const over = (event) => {
      const effect = document.elementFromPoint(event.clientX, event.clientY)?.closest('.effect');
      if (!effect || effect === own || !this.row.contains(effect)) return null;
      const box = effect.getBoundingClientRect();
      const other = Number(effect.dataset.slot);
      const isRow = getComputedStyle(this.row).flexDirection !== 'column';
      const across = isRow ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
      const isBeside = isRow ? event.clientY > box.top + box.height / 2 : across > 0.35 && across < 0.65;
      if (isBeside) return { kind: 'beside', effect, places: beside(this.places, number, other) };
      return across < 0.5
        ? { kind: 'before', effect, places: before(this.places, number, other) }
        : { kind: 'behind', effect, places: behind(this.places, number, other) };
    };
    handle.setPointerCapture(start.pointerId);
    own.classList.add('is-dragged');
    const follow = (event) => {
      target = over(event);
      mark(target?.kind, target?.effect);
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
