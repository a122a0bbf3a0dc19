import { control } from './control.js';
import { compressorPicture, equaliserPicture } from './curve-picture.js';
import { placeOf, toDecibels } from './decibels.js';
import { element, setAttribute, setText } from './element.js';
import { icon } from './icons.js';
import { Page } from './page.js';

/** A word as a title: "pitch-shift" is "Pitch shift". */
export const effectTitle = (name) => (name ? name[0].toUpperCase() + name.slice(1).replaceAll('-', ' ') : '');

/**
 * One slot of a rack as a device: what it is, bypass, wet and dry, its meters, and the effect's own controls.
 *
 * `actions` is { earlier, later, beside, remove, drag }: what the buttons do, and what happens when it is dragged.
 */
export class Device {
  constructor(page, slot, actions) {
    this.slot = slot;
    // Ends with the device, not with the whole page.
    this.page = new Page(page.root, page.values, page.deliver);
    this.element = this.#build(actions);
  }

  end() {
    this.page.end();
    this.element.remove();
  }

  #build(actions) {
    const { page, slot } = this;
    const title = element('h4', { class: 'device-title', tabindex: -1 });
    const made = element('article', { class: 'device', 'data-slot': slot.number },
      element('header', { class: 'device-head' },
        this.#handle(actions), title,
        element('button', {
          type: 'button', class: 'device-remove', 'aria-label': `Remove slot ${slot.number}`, onclick: actions.remove,
        }, icon('close', 18))),
      this.#meters(),
      element('div', { class: 'device-set' }, slot.bypass && control(page, slot.bypass), slot.mix && control(page, slot.mix)),
      ...this.#parameters(),
      element('details', { class: 'more' }, element('summary', {}, 'Place'),
        element('div', { class: 'device-moves' },
          this.#button('Earlier', actions.earlier), this.#button('Later', actions.later),
          this.#button('Side by side', actions.beside)),
        control(page, slot.effect)));
    page.watch(slot.effect, ([name]) => {
      setText(title, `${slot.number} ${effectTitle(name)}`);
      setAttribute(made, 'aria-label', `Slot ${slot.number}: ${effectTitle(name)}`);
    });
    page.watch(slot.bypass, ([isBypassed]) => made.classList.toggle('is-bypassed', Boolean(isBypassed)));
    return made;
  }

  #button(text, action) {
    return element('button', { type: 'button', class: 'plain', onclick: action }, text);
  }

  /** What is dragged; arrow keys do the same. */
  #handle({ earlier, later, beside, remove, drag }) {
    const handle = element('button', {
      type: 'button', class: 'device-handle',
      'aria-label': `Move slot ${this.slot.number}: arrows left and right, B for side by side, delete to remove`,
    }, icon('grip', 20));
    handle.addEventListener('keydown', (event) => {
      const action = {
        ArrowLeft: earlier, ArrowUp: earlier, ArrowRight: later, ArrowDown: later, b: beside, B: beside,
        Delete: remove, Backspace: remove,
      }[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action();
    });
    handle.addEventListener('pointerdown', (event) => {
      if (event.button === 0) drag(event, handle);
    });
    return handle;
  }

  #meters() {
    const { page, slot } = this;
    const fill = element('span', { class: 'meter-fill' });
    const level = element('div', { class: 'device-meter', role: 'img', 'aria-label': 'Level' }, fill);
    page.watch(slot.level, ([value]) => {
      fill.style.setProperty('--share', placeOf(value ?? 0));
      level.classList.toggle('is-over', toDecibels(value ?? 0) > 0);
    });
    if (!slot.reduction) return element('div', { class: 'device-meters' }, level);
    const taken = element('span', { class: 'meter-fill taken' });
    const text = element('span', { class: 'device-reduction' });
    page.watch(slot.reduction, ([value]) => {
      taken.style.setProperty('--share', Math.min(1, (value ?? 0) / 24));
      setText(text, value > 0.05 ? `−${value.toFixed(1)} dB` : '');
    });
    return element('div', { class: 'device-meters' }, level,
      element('div', { class: 'device-meter from-right', role: 'img', 'aria-label': 'Gain reduction' }, taken), text);
  }

  /** What has become of the effect's file, with a bar while it is read. */
  #file() {
    const { page, slot } = this;
    if (!slot.state) return null;
    const words = element('p', { class: 'device-file', role: 'status' });
    const bar = element('progress', { max: 1, value: 0, 'aria-label': slot.progress?.title });
    page.watch(slot.state, ([text]) => {
      setText(words, text ?? '');
      words.classList.toggle('is-failed', /^failed/.test(text ?? ''));
      bar.hidden = !/^loading/.test(text ?? '');
    });
    page.watch(slot.progress, ([share]) => { bar.value = share ?? 0; });
    return element('div', { class: 'control control-progress device-loading' }, words, bar);
  }

  #parameters() {
    const { page, slot } = this;
    const container = slot.parameters;
    if (!container) return [];
    const picture = equaliserPicture(page, container) ?? compressorPicture(page, container);
    const nodes = container.children.filter((node) => !node.isContainer).sort((one, other) => one.place - other.place);
    // Many numbers stand behind their curve.
    const isLarge = nodes.length > 10;
    const controls = element('div', { class: 'controls' }, slot.interval && control(page, slot.interval),
      nodes.map((node) => control(page, node)), this.#file());
    return [picture, isLarge ? element('details', { class: 'more' }, element('summary', {}, 'All numbers'), controls) : controls];
  }
}
