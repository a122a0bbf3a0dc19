/** Milliseconds before the first and the last of several attempts. */
const first = 250;
const longest = 4000;

/** Attempts to connect again, each later than the one before. */
export class Attempts {
  #delay = first;
  #timer = null;

  constructor(world = globalThis) {
    this.world = world;
  }

  /** Calls `connect` after a while. */
  again(connect) {
    this.#timer = this.world.setTimeout(connect, this.#delay);
    this.#delay = Math.min(longest, 2 * this.#delay);
  }

  /** Resets the delay after a successful connection. */
  succeed() {
    this.#delay = first;
  }

  end() {
    this.world.clearTimeout(this.#timer);
  }
}
