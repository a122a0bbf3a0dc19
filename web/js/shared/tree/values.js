/** Last known value of every address, and the observers of each. */
export class Values {
  constructor() {
    this.known = new Map();
    this.observers = new Map();
  }

  /** The values at an address as an array; empty when nothing is known. */
  at(address) {
    return this.known.get(address) ?? [];
  }

  /** The values of a node that may be missing. */
  of(node) {
    return node ? this.at(node.path) : [];
  }

  /** The first number of a node, or `otherwise`. */
  number(node, otherwise = 0) {
    const value = this.of(node)[0];
    return typeof value === 'number' ? value : otherwise;
  }

  /** Stores a value from the engine or from a control, and calls its observers. */
  set(address, values) {
    this.known.set(address, values);
    for (const observer of this.observers.get(address) ?? []) observer(values, address);
  }

  /** Calls the observers of an address with the value that is known, for controls that show another one. */
  repeat(address) {
    if (this.known.has(address)) this.set(address, this.known.get(address));
  }

  /** Calls `observer` now if something is known, and at every change; returns a function that ends it. */
  watch(address, observer) {
    if (!this.observers.has(address)) this.observers.set(address, new Set());
    this.observers.get(address).add(observer);
    if (this.known.has(address)) observer(this.known.get(address), address);
    return () => this.observers.get(address)?.delete(observer);
  }

  /**
   * Stores the values of a tree.
   *
   * @param isOld whether the tree's value of an address is older than the known one, which is kept then
   */
  load(root, isOld = () => false) {
    for (const node of root.all()) {
      if (node.isReadable && node.initial && !isOld(node.path)) this.set(node.path, node.initial);
    }
  }
}
