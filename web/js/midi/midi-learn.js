import { controllerWords, parseMapping } from './mapping.js';
import { element, setText } from '../shared/drawing/element.js';
import { containerTitle } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

/** A parameter in words: "Gain, listener 1"; its address when there is no such parameter at present. */
export function targetWords(root, path) {
  const node = [...root.all()].find((each) => each.path === path);
  if (!node) return path;
  const place = containerTitle(node.parent);
  return `${node.title}, ${place[0].toLowerCase()}${place.slice(1)}`;
}

/**
 * The mode Learn MIDI: while it is on, operating a control names its parameter instead of changing it, and the next controller
 * that moves is mapped to it. Works on every page and with the keyboard, because it takes what controls send.
 */
export class MidiLearn {
  #shown = null;
  #target = null;

  constructor() {
    this.isOn = false;
    this.onChange = () => {};
    this.words = element('span', { role: 'status' });
    this.element = element('div', { class: 'banner midi-learn', hidden: true }, element('p', {}, this.words),
      element('button', { type: 'button', class: 'plain', onclick: () => this.turn(false) }, 'Done'));
  }

  /** Follows to another page, which may belong to another tree. */
  use(page) {
    const learn = page.root.find(roles.midiLearn);
    this.#shown = learn && { page, learn };
    if (!learn) return this.turn(false);
    page.watch(learn, () => this.#tell());
    for (const node of page.root.findAll(roles.midiMapping)) page.watch(node, () => this.#tell());
    this.onChange();
  }

  turn(isOn) {
    if (this.isOn === isOn || (isOn && !this.#shown)) return;
    this.isOn = isOn;
    this.#target = null;
    this.element.hidden = !isOn;
    document.body.classList.toggle('is-learning-midi', isOn);
    if (!isOn && this.#armed) this.#shown.page.send(this.#shown.learn, ['']);
    this.#tell();
    this.onChange();
  }

  /**
   * Whether the mode takes what a control sends: one number, a switch, a choice or an action.
   *
   * @param parts pairs of node and values, as `Page` delivers them
   */
  takes(parts) {
    const [node] = parts[0];
    if (!this.isOn || parts.length > 1 || !isMappable(node) || node.isWithin(this.#shown.learn.parent)) return false;
    if (this.#armed !== node.path) {
      this.#target = node.path;
      this.#shown.page.send(this.#shown.learn, [node.path]);
    }
    return true;
  }

  /** Address of the parameter that waits for a controller; empty for none. */
  get #armed() {
    return this.#shown?.page.values.of(this.#shown.learn)[0] ?? '';
  }

  #tell() {
    if (!this.isOn || !this.#shown) return;
    const { page } = this.#shown;
    if (this.#armed) {
      setText(this.words, `${targetWords(page.root, this.#armed)}: now move a knob, fader or pedal, or press a key.`);
      return;
    }
    const mappings = page.root.findAll(roles.midiMapping).map((node) => parseMapping(page.values.of(node)[0]));
    const learned = this.#target && mappings.find((mapping) => mapping?.target === this.#target);
    setText(this.words, learned
      ? `${controllerWords(learned)} moves ${targetWords(page.root, this.#target)}. Choose another control, or Done.`
      : 'Learn MIDI: operate a control of the panel. It does not change; it waits for a controller.');
  }
}

/** Whether one controller can move it; undo and redo stay at hand. */
function isMappable(node) {
  if (node.has('undo') || node.has('redo')) return false;
  return node.isWritable && node.type.length === 1 && (node.type !== 's' || node.choices !== null);
}
