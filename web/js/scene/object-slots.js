/** Places of the objects of a scene among the channels that carry them. */
export class ObjectSlots {
  #slots = new Map();

  /** @param {number} most channels */
  constructor(most) {
    this.most = most;
  }

  /** The slot of an object, and a free one for an object that is new; -1 when there is none. */
  slot(number) {
    const known = this.#slots.get(number);
    if (known !== undefined) return known;
    const taken = new Set(this.#slots.values());
    for (let slot = 0; slot < this.most; slot += 1) {
      if (taken.has(slot)) continue;
      this.#slots.set(number, slot);
      return slot;
    }
    return -1;
  }

  /** Frees the slots of all objects but these. */
  keep(numbers) {
    for (const number of this.#slots.keys()) if (!numbers.has(number)) this.#slots.delete(number);
  }

  clear() {
    this.#slots.clear();
  }
}
