/** The racks of effects in the tree, found by the roles of their nodes. */

import { listenersOf } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

/** An occupied slot: its own nodes, and the container of its effect's parameters. */
class Slot {
  constructor(effect) {
    const container = effect.parent;
    this.number = Number(container.name);
    this.effect = effect;
    this.bypass = container.find(roles.slotBypass);
    this.mix = container.find(roles.slotMix);
    this.level = container.find(roles.slotLevel);
    this.reduction = container.find(roles.slotReduction);
    this.interval = container.find(roles.slotInterval);
    this.state = container.find(roles.slotState);
    this.progress = container.find(roles.slotProgress);
    this.parameters = container.children.find((child) => child.isContainer) ?? null;
  }

  /** Changes when the slot holds another effect. */
  get shape() {
    return `${this.number} ${this.parameters?.path}`;
  }
}

/** One rack: the container that has a layout. */
export class Rack {
  constructor(layout) {
    this.container = layout.parent;
    this.layout = layout;
    this.add = this.container.find(roles.rackAdd);
    this.preset = this.container.find(roles.rackPreset);
    this.name = this.container.find(roles.rackTitle);
    this.load = this.container.find(roles.rackLoad);
    this.save = this.container.find(roles.rackSave);
    this.bypass = this.container.find(roles.rackBypass);
    this.side = this.container.find(roles.rackSide);
    this.copy = this.container.find(roles.rackCopy);
    this.input = this.container.find(roles.rackInput);
    this.output = this.container.find(roles.rackOutput);
    this.slots = new Map(this.container.findAll(roles.slotEffect).map((effect) => [Number(effect.parent.name), new Slot(effect)]));
    this.branches = this.container.findAll(roles.branchMix)
      .sort((one, other) => Number(one.parent.name) - Number(other.parent.name));
  }

  get path() {
    return this.container.path;
  }

  /** Nodes with the peaks before and after the rack; of an empty one, those of the sound that passes, where the engine has them. */
  levels(root) {
    if (this.input && this.slots.size > 0) return { input: [this.input], output: nodes(this.output) };
    const place = this.path.split('/').filter(Boolean).slice(1);
    if (place[0] === 'listener') return { input: null, output: nodes(listenersOf(root).find(({ name }) => name === place[1])?.earPeak) };
    const input = nodes(root.find(place[0] === 'input' ? roles.inputPeak : roles.microphonePeak));
    return { input, output: input };
  }

  /** Title: the words of its path after the first. */
  get title() {
    const words = this.path.split('/').filter(Boolean).slice(1).join(' ');
    return words[0].toUpperCase() + words.slice(1);
  }
}

const nodes = (node) => (node ? [node] : null);

/** All racks: the recording's, the listeners' in the order of their numbers, and the live input's. */
export function racksOf(root) {
  const order = ({ path }) => (path.endsWith('/recording') ? 0 : path.endsWith('/input') ? Infinity : Number(path.split('/').at(-1)) || 1);
  return root.findAll(roles.rackLayout).map((layout) => new Rack(layout)).sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

/** The rack that is heard first: that of the live input where there is an input and no recording, otherwise the first. */
export function heardRack(racks, root, values) {
  const [recording] = values.of(root.find(roles.recording));
  const hasInput = Boolean(values.of(root.find(roles.inputSource))[0]);
  return (hasInput && !recording && racks.find(({ path }) => path.endsWith('/input'))) || racks[0] || null;
}
