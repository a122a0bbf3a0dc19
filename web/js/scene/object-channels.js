/** Channels that carry the objects of a scene. */
export class ObjectChannels {
  #channels = new Map();

  /** @param {number} most channels */
  constructor(most) {
    this.most = most;
  }

  /** The channel of an object, and a free one for an object that is new; -1 when there is none. */
  channel(number) {
    const known = this.#channels.get(number);
    if (known !== undefined) return known;
    const taken = new Set(this.#channels.values());
    for (let channel = 0; channel < this.most; channel += 1) {
      if (taken.has(channel)) continue;
      this.#channels.set(number, channel);
      return channel;
    }
    return -1;
  }

  /** Frees the channels of all objects but these. */
  keep(numbers) {
    for (const number of this.#channels.keys()) if (!numbers.has(number)) this.#channels.delete(number);
  }

  clear() {
    this.#channels.clear();
  }
}
