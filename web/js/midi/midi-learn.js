import { controllerWords, parseMapping, positionOf } from './mapping.js';
import { element, setText } from '../shared/drawing/element.js';
import { containerTitle } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

/**
 * A parameter in words: "Gain, listener 1"; its address when there is no such parameter at present.
 *
 * @param position of one of its choices, 0 to 1, which is named; null for none
 */
function targetWords(root, path, position = null) {
  const node = [...root.all()].find((each) => each.path === path);
  if (!node) return path;
  const place = containerTitle(node.parent);
  const choice = position === null ? undefined : node.choices?.[Math.round(position * (node.choices.length - 1))];
  return `${node.title}${choice === undefined ? '' : ` “${choice}”`}, ${place[0].toLowerCase()}${place.slice(1)}`;
}

/** The action of a mapping in words: "moves Gain, listener 1", "sets Play cue “tick”, cue". */
export function movesWords(root, mapping) {
  const position = positionOf(mapping);
  return `${position === null ? 'moves' : 'sets'} ${targetWords(root, mapping.target, position)}`;
}

/** The position of the choice that a control sends, 0 to 1; null for what is not one of several choices. */
function choicePosition({ choices }, value) {
  const index = typeof value === 'number' ? value : choices?.indexOf(value) ?? -1;
  return choices && index >= 0 ? index / Math.max(choices.length - 1, 1) : null;
}

/**
 * The mode Learn MIDI: while it is on, operating a control names its parameter instead of changing it, and the next controller
 * that moves is mapped to it. Works on every page and with the keyboard, because it takes what controls send.
 */
export class MidiLearn {
  #shown = null;
  #target = null;
  /** Position of the choice that a key is to set; null for none. */
  #position = null;

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
    const [node, values] = parts[0];
    if (!this.isOn || parts.length > 1 || !isMappable(node) || node.isWithin(this.#shown.learn.parent)) return false;
    const position = choicePosition(node, values[0]);
    if (this.#armed !== node.path || this.#position !== position) {
      [this.#target, this.#position] = [node.path, position];
      this.#shown.page.send(this.#shown.learn, position === null ? [node.path] : [node.path, position]);
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
      setText(this.words, `${targetWords(page.root, this.#armed, this.#position)}: now move a knob, fader or pedal, or press a key.`);
      return;
    }
    const mappings = page.root.findAll(roles.midiMapping).map((node) => parseMapping(page.values.of(node)[0]));
    const ofTarget = mappings.filter((mapping) => mapping?.target === this.#target);
    const learned = ofTarget.find((mapping) => positionOf(mapping) === this.#position) ?? ofTarget[0];
    setText(this.words, learned
      ? `${controllerWords(learned)} ${movesWords(page.root, learned)}. Choose another control, or Done.`
      : 'Learn MIDI: operate a control of the panel to select it. Its value does not change.');
  }
}

/** Whether one controller can move it; undo and redo stay at hand. */
function isMappable(node) {
  if (node.has('undo') || node.has('redo')) return false;
  return node.isWritable && node.type.length === 1 && (node.type !== 's' || node.choices !== null);
}
