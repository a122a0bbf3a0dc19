import { control } from '../shared/controls/control.js';
import { compressorPlot, equaliserPlot } from './response-plot.js';
import { placeOf, toDecibels } from '../shared/numbers/decibels.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { Page } from '../shared/tree/page.js';

/** The name of an effect as a title: "pitch-shift" is "Pitch shift". */
export const effectTitle = (name) => (name ? name[0].toUpperCase() + name.slice(1).replaceAll('-', ' ') : '');

/**
 * One slot of a rack: the effect's name, bypass, mix, meters, and its own controls.
 *
 * `actions` is { earlier, later, beside, remove, drag }: the actions of its buttons, and of dragging.
 */
export class EffectPanel {
  constructor(page, slot, actions) {
    this.slot = slot;
    // Ends with this effect; the rest of the page continues.
    this.page = new Page(page.root, page.values, page.deliver);
    this.element = this.#build(actions);
  }

  end() {
    this.page.end();
    this.element.remove();
  }

  #build(actions) {
    const { page, slot } = this;
    const title = element('h4', { class: 'effect-title', tabindex: -1 });
    const made = element('article', { class: 'effect', 'data-slot': slot.number },
      element('header', { class: 'effect-head' },
        this.#handle(actions), title,
        element('button', {
          type: 'button', class: 'effect-remove', title: 'Remove effect', 'aria-label': `Remove slot ${slot.number}`,
          onclick: actions.remove,
        }, icon('close', 18))),
      this.#meters(),
      element('div', { class: 'effect-set' }, slot.bypass && control(page, slot.bypass), slot.mix && control(page, slot.mix)),
      ...this.#parameters(),
      element('details', { class: 'more' }, element('summary', {}, 'Position'),
        element('div', { class: 'effect-moves' },
          this.#button('Earlier', actions.earlier), this.#button('Later', actions.later),
          this.#button('In parallel', actions.beside)),
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

  /** Grip by which the effect is dragged; arrow keys move it as well. */
  #handle({ earlier, later, beside, remove, drag }) {
    const handle = element('button', {
      type: 'button', class: 'effect-handle',
      'aria-label': `Move slot ${this.slot.number}: left and right arrow keys; B for in parallel; Delete to remove`,
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
    const level = element('div', { class: 'effect-meter', role: 'img', 'aria-label': 'Level' }, fill);
    page.watch(slot.level, ([value]) => {
      fill.style.setProperty('--share', placeOf(value ?? 0));
      level.classList.toggle('is-over', toDecibels(value ?? 0) > 0);
    });
    if (!slot.reduction) return element('div', { class: 'effect-meters' }, level);
    const taken = element('span', { class: 'meter-fill taken' });
    const text = element('span', { class: 'effect-reduction' });
    page.watch(slot.reduction, ([value]) => {
      taken.style.setProperty('--share', Math.min(1, (value ?? 0) / 24));
      setText(text, value > 0.05 ? `−${value.toFixed(1)} dB` : '');
    });
    return element('div', { class: 'effect-meters' }, level,
      element('div', { class: 'effect-meter from-right', role: 'img', 'aria-label': 'Gain reduction' }, taken), text);
  }

  /** State of the effect's file, with a bar while it loads. */
  #file() {
    const { page, slot } = this;
    if (!slot.state) return null;
    const words = element('p', { class: 'effect-file', role: 'status' });
    const bar = element('progress', { max: 1, value: 0, 'aria-label': slot.progress?.title });
    page.watch(slot.state, ([text]) => {
      setText(words, text ?? '');
      words.classList.toggle('is-failed', /^failed/.test(text ?? ''));
      bar.hidden = !/^loading/.test(text ?? '');
    });
    page.watch(slot.progress, ([share]) => { bar.value = share ?? 0; });
    return element('div', { class: 'control control-progress effect-loading' }, words, bar);
  }

  #parameters() {
    const { page, slot } = this;
    const container = slot.parameters;
    if (!container) return [];
    const picture = equaliserPlot(page, container) ?? compressorPlot(page, container);
    const nodes = container.children.filter((node) => !node.isContainer).sort((one, other) => one.place - other.place);
    // Many parameters are folded away behind their plot.
    const isLarge = nodes.length > 10;
    const controls = element('div', { class: 'controls' }, slot.interval && control(page, slot.interval),
      nodes.map((node) => control(page, node)), this.#file());
    return [picture, isLarge ? element('details', { class: 'more' }, element('summary', {}, 'All parameters'), controls) : controls];
  }
}
