import { control } from '../shared/controls/control.js';
import { compressorPlot, equaliserPlot } from './response-plot.js';
import { decibelText, placeOf, toDecibels } from '../shared/numbers/decibels.js';
import { element, setAttribute, setText, uniqueId } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { Page } from '../shared/tree/page.js';

/** The name of an effect as a title: "pitch-shift" is "Pitch shift". */
export const effectTitle = (name) => (name ? name[0].toUpperCase() + name.slice(1).replaceAll('-', ' ') : '');

/**
 * One slot of a rack: a head with the effect's name and bypass, and a body that folds, with meters, mix and its own controls.
 *
 * `actions` is { earlier, later, beside, remove, drag, fold }: the actions of its buttons, of dragging, and of folding.
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

  get isFolded() {
    return this.body.hidden;
  }

  /** Shows the head only, or everything. */
  fold(isFolded) {
    this.body.hidden = isFolded;
    this.element.classList.toggle('is-folded', isFolded);
    setAttribute(this.folder, 'aria-expanded', !isFolded);
  }

  /** The button that moves the effect and keeps the focus while it does. */
  get handle() {
    return this.element.querySelector('.effect-handle');
  }

  #build(actions) {
    const { page, slot } = this;
    const name = element('span', {});
    this.folder = element('button', {
      type: 'button', class: 'effect-fold', 'aria-expanded': true, onclick: () => actions.fold(!this.isFolded),
    }, name, icon('chevron', 16));
    const title = element('h4', { class: 'effect-title' }, this.folder);
    this.body = element('div', { class: 'effect-body' },
      this.#meters(),
      element('div', { class: 'effect-set' }, slot.mix && control(page, slot.mix)),
      ...this.#parameters());
    const made = element('article', { class: 'effect', 'data-slot': slot.number },
      element('header', { class: 'effect-head' }, this.#handle(actions), title, this.#bypass(), this.#more(actions)), this.body);
    page.watch(slot.effect, ([effect]) => {
      setText(name, `${slot.number} ${effectTitle(effect)}`);
      setAttribute(made, 'aria-label', `Slot ${slot.number}: ${effectTitle(effect)}`);
    });
    page.watch(slot.bypass, ([isBypassed]) => made.classList.toggle('is-bypassed', Boolean(isBypassed)));
    return made;
  }

  /** A switch that is on while the effect is bypassed. */
  #bypass() {
    const { page, slot } = this;
    if (!slot.bypass) return null;
    const button = element('button', {
      type: 'button', class: 'effect-power', role: 'switch', 'aria-label': slot.bypass.title, title: slot.bypass.help,
      onclick: () => page.send(slot.bypass, [button.getAttribute('aria-checked') !== 'true']),
    }, icon('power', 20));
    page.watch(slot.bypass, ([isBypassed]) => setAttribute(button, 'aria-checked', Boolean(isBypassed)));
    return button;
  }

  /** A button that shows what is needed seldom: positions, another effect, explanations. */
  #more({ earlier, later, beside, remove }) {
    const { page, slot } = this;
    const id = uniqueId('effect-more');
    const button = (text, action, label) => element('button', {
      type: 'button', class: 'plain', 'aria-label': label, onclick: action,
    }, text);
    const part = element('div', { class: 'effect-more', id, hidden: true },
      button('Earlier', earlier), button('Later', later), button('In parallel', beside),
      button('Remove', remove, `Remove slot ${slot.number}`), control(page, slot.effect));
    this.body.prepend(part);
    const opener = element('button', {
      type: 'button', class: 'effect-opener', 'aria-label': 'More', title: 'Position, other effect, explanations',
      'aria-expanded': false, 'aria-controls': id,
      onclick: () => {
        part.hidden = !part.hidden;
        setAttribute(opener, 'aria-expanded', !part.hidden);
        this.element.classList.toggle('is-explained', !part.hidden);
        if (!part.hidden) this.fold(false);
      },
    }, icon('more', 20));
    return opener;
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
      if (event.button === 0) drag(event);
    });
    return handle;
  }

  #meters() {
    const { page, slot } = this;
    const fill = element('span', { class: 'meter-fill' });
    const level = element('div', { class: 'effect-meter', role: 'img', 'aria-label': 'Level' }, fill);
    const words = element('span', { class: 'effect-number' }, '−∞ dB');
    page.watch(slot.level, ([value]) => {
      const decibels = toDecibels(value ?? 0);
      fill.style.setProperty('--share', placeOf(value ?? 0));
      level.classList.toggle('is-over', decibels > 0);
      setText(words, `${decibelText(decibels)} dB`);
    });
    const line = element('div', { class: 'effect-level' }, level, words);
    if (!slot.reduction) return element('div', { class: 'effect-meters' }, line);
    const taken = element('span', { class: 'meter-fill taken' });
    const text = element('span', { class: 'effect-number' });
    page.watch(slot.reduction, ([value]) => {
      taken.style.setProperty('--share', Math.min(1, (value ?? 0) / 24));
      setText(text, value > 0.05 ? `−${value.toFixed(1)} dB` : '0 dB');
    });
    return element('div', { class: 'effect-meters' }, line,
      element('div', { class: 'effect-level' },
        element('div', { class: 'effect-meter from-right', role: 'img', 'aria-label': 'Gain reduction' }, taken), text));
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
    // A former address of the slot's wet/dry can only be set.
    const nodes = container.children.filter((node) => node.isReadable).sort((one, other) => one.place - other.place);
    // Many parameters are folded away behind their plot.
    const isLarge = nodes.length > 10;
    const controls = element('div', { class: 'controls' }, slot.interval && control(page, slot.interval),
      nodes.map((node) => control(page, node)), this.#file());
    return [picture, isLarge ? element('details', { class: 'more' }, element('summary', {}, 'All parameters'), controls) : controls];
  }
}
