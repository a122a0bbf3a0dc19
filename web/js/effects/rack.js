/** The racks of effects in the tree, found by the roles of their nodes. */

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
    this.slots = new Map(this.container.findAll(roles.slotEffect).map((effect) => [Number(effect.parent.name), new Slot(effect)]));
    this.branches = this.container.findAll(roles.branchMix)
      .sort((one, other) => Number(one.parent.name) - Number(other.parent.name));
  }

  get path() {
    return this.container.path;
  }

  /** Title: the words of its path after the first. */
  get title() {
    const words = this.path.split('/').filter(Boolean).slice(1).join(' ');
    return words[0].toUpperCase() + words.slice(1);
  }
}

/** All racks, the recording's first: the tree is in alphabetical order, and most people look for that one. */
export function racksOf(root) {
  return root.findAll(roles.rackLayout).map((layout) => new Rack(layout)).reverse();
}
