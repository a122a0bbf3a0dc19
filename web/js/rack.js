/** The racks of effects in the tree, found by the roles of their nodes. */

/** One slot that is there: its own nodes, and the container of its effect's parameters. */
class Slot {
  constructor(effect) {
    const container = effect.parent;
    this.number = Number(container.name);
    this.effect = effect;
    this.bypass = container.find('slot.bypass');
    this.mix = container.find('slot.mix');
    this.level = container.find('slot.level');
    this.reduction = container.find('slot.reduction');
    this.interval = container.find('slot.interval');
    this.state = container.find('slot.state');
    this.progress = container.find('slot.progress');
    this.parameters = container.children.find((child) => child.isContainer) ?? null;
  }

  /** Changes when another effect stands here. */
  get shape() {
    return `${this.number} ${this.parameters?.path}`;
  }
}

/** One rack: the container that has a layout. */
export class Rack {
  constructor(layout) {
    this.container = layout.parent;
    this.layout = layout;
    this.add = this.container.find('rack.add');
    this.preset = this.container.find('rack.preset');
    this.slots = new Map(this.container.findAll('slot.effect').map((effect) => [Number(effect.parent.name), new Slot(effect)]));
    this.branches = this.container.findAll('branch.mix')
      .sort((one, other) => Number(one.parent.name) - Number(other.parent.name));
  }

  get path() {
    return this.container.path;
  }

  /** What to call it: the words of its path after the first. */
  get title() {
    const words = this.path.split('/').filter(Boolean).slice(1).join(' ');
    return words[0].toUpperCase() + words.slice(1);
  }
}

/** Every rack; the tree comes in alphabetical order, of which the end is what most people look for: the recording's. */
export function racksOf(root) {
  return root.findAll('rack.layout').map((layout) => new Rack(layout)).reverse();
}
