import { control } from '../shared/controls/control.js';
import { EffectPanel } from './effect-panel.js';
import { arrange, element, setText, uniqueId } from '../shared/drawing/element.js';
import { Page } from '../shared/tree/page.js';
import { heardRack, racksOf } from './rack.js';
import { dragEffect } from './rack-drag.js';
import { rackHead } from './rack-head.js';
import { besideNeighbour, earlier, formatLayout, later, parseLayout, slotsOf, without } from './rack-layout.js';
import { roles } from '../shared/tree/roles.js';

/** The racks of effects. */
export default {
  topic: 'effects',
  needs: [roles.rackLayout],
  shows: [roles.rackLayout, roles.rackAdd, roles.rackRemove, roles.rackPreset, roles.listedRacks, roles.rackTitle, roles.rackLoad,
    roles.rackSave, roles.rackBypass, roles.rackSide, roles.rackCopy, roles.rackInput, roles.rackOutput, roles.slotBypass, roles.slotMix,
    roles.slotLevel, roles.slotReduction, roles.slotInterval, roles.slotState, roles.slotProgress],
  owns: 'subtree',
  isWide: true,
  make(page, nodes, { memory }) {
    const racks = new RacksCard(page, memory);
    page.onUpdate((root) => racks.update(root));
    page.onEnd(() => {
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
  /** Slots that are folded, by path of the rack. On a phone all but one are. */
  #folded;

  /** @param memory Map of settings that last when the card is made again; its key `rack` is the path of the rack to show */
  constructor(page, memory) {
    this.page = page;
    this.memory = memory;
    if (!memory.has('folded')) memory.set('folded', new Map());
    this.#folded = memory.get('folded');
    this.effects = new Map();
    this.row = element('div', { class: 'rack-row' });
    this.spoken = element('p', { class: 'unseen', role: 'status' });
    this.head = element('div', { class: 'rack-head' });
    const id = uniqueId('racks');
    this.element = element('section', { class: 'card racks', 'aria-labelledby': id },
      element('header', { class: 'card-head' }, element('h2', { id }, 'Effects'),
        element('p', { class: 'help rack-help' },
          'Drag an effect by its grip, or focus the grip and use the arrow keys. Drop it on the lower half of another effect '
          + 'to run both in parallel. Escape cancels.')),
      this.head, this.row, this.spoken);
    this.phone = matchMedia('(max-width: 759px)');
    this.refold = () => this.#foldAll();
    this.phone.addEventListener('change', this.refold);
    this.update(page.root);
  }

  /** Path of the rack that was chosen, or of the one that is heard. */
  get chosen() {
    return this.memory.get('rack') ?? heardRack(this.racks, this.page.root, this.page.values)?.path;
  }

  /** Takes another tree; effects whose slots have not changed are kept. */
  update(root) {
    this.page.root = root;
    this.racks = racksOf(root);
    this.rack = this.racks.find(({ path }) => path === this.chosen) ?? this.racks[0];
    const isSame = this.shown === this.rack?.path;
    this.shown = this.rack?.path;
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
      // On a phone one that was just added is the one that is open.
      if (isSame && this.phone.matches) this.#open = number;
    }
    this.#foldAll();
    this.#watchRack();
  }

  end() {
    this.phone.removeEventListener('change', this.refold);
    this.own?.end();
    this.headPage?.end();
    for (const effect of this.effects.values()) effect.end();
  }

  choose(path) {
    this.memory.set('rack', path);
    this.update(this.page.root);
  }

  /** The slot that is open on a phone; null for none. */
  get #open() {
    return this.memory.has('open') ? this.memory.get('open') : this.effects.keys().next().value ?? null;
  }

  set #open(number) {
    this.memory.set('open', number);
  }

  #fold(number, isFolded) {
    const folded = this.#folded.get(this.rack.path) ?? new Set();
    if (isFolded) folded.add(number);
    else folded.delete(number);
    this.#folded.set(this.rack.path, folded);
    if (this.phone.matches) this.#open = isFolded ? null : number;
    this.#foldAll();
  }

  #foldAll() {
    const folded = this.#folded.get(this.rack?.path);
    const open = this.effects.has(this.#open) || this.#open === null ? this.#open : this.effects.keys().next().value;
    for (const [number, effect] of this.effects) {
      effect.fold(this.phone.matches ? number !== open : Boolean(folded?.has(number)));
    }
  }

  #watchRack() {
    this.own?.end();
    this.own = new Page(this.page.root, this.page.values, this.page.deliver);
    if (!this.rack) return;
    this.own.watch(this.rack.layout, ([text]) => {
      this.#arrange(parseLayout(text));
      this.#showHead();
    });
  }

  /** Makes the head again, since its meters depend on the last effects; not under somebody who has opened its list of presets. */
  #showHead() {
    const dialog = this.head.querySelector('dialog[open]');
    if (dialog) {
      dialog.onclose = () => {
        if (this.element.isConnected) this.#showHead();
      };
      return;
    }
    this.headPage?.end();
    this.headPage = new Page(this.page.root, this.page.values, this.page.deliver);
    const hadFocus = this.head.contains(document.activeElement) ? document.activeElement.className : null;
    this.head.replaceChildren(...rackHead(this.headPage, this.racks, this.rack, (path) => this.choose(path)));
    if (hadFocus) this.head.getElementsByClassName(hadFocus)[0]?.focus();
  }

  /** Arranges the effects by the layout. */
  #arrange(places) {
    this.places = places;
    const hadFocus = this.row.contains(document.activeElement) ? document.activeElement : null;
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
    const empty = element('p', { class: 'help rack-empty' },
      'No effects yet. Sound passes unchanged. Choose one from “Add an effect”.');
    // An effect that stays keeps the pointer, and one that is moved the focus, so that it can be moved further.
    arrange(this.row, parts.some(Boolean) ? parts.filter(Boolean) : [empty]);
    hadFocus?.focus();
  }

  #actions(number) {
    const move = (change) => () => this.#send(change(this.places, number), number);
    return {
      earlier: move(earlier),
      later: move(later),
      beside: move(besideNeighbour),
      remove: move(without),
      fold: (isFolded) => this.#fold(number, isFolded),
      drag: (event) => dragEffect(event, {
        row: this.row, scroller: document.getElementById('main'), own: this.effects.get(number).element, number,
        places: () => this.places,
      }, (places) => this.#send(places, number)),
    };
  }

  #send(places, number) {
    const text = formatLayout(places);
    if (text === formatLayout(this.places)) return;
    this.own.send(this.rack.layout, [text]);
    this.effects.get(number)?.handle.focus();
    const place = slotsOf(places).indexOf(number);
    setText(this.spoken,
      place < 0 ? `Slot ${number} removed` : `Slot ${number} moved to position ${place + 1} of ${slotsOf(places).length}`);
  }
}
