/** Seconds of measurement that count, and the share of sound in them that may be missing. */
const window = 10;
const mostMissing = 0.15;
/** Seconds after which the scene is tried again, the first time and at most. */
const firstPatience = 60;
const longestPatience = 960;

/**
 * Chooses by measurement who renders: this browser from the scene (`client`), or the engine (`server`).
 *
 * The browser renders as long as it can, what the listener has set allows it, and the network carries the scene at its low profile.
 * Independent of sockets and of the sound.
 */
export class ModeChoice {
  #refusal;
  #needs = null;
  #history = [];
  #failed = null;
  #patience = firstPatience;

  /** @param {string | null} refusal why this browser cannot render the scene */
  constructor(refusal) {
    this.#refusal = refusal;
  }

  /** `client` or `server`. */
  get mode() {
    return this.reason === null ? 'client' : 'server';
  }

  /** Why the engine renders; null when the browser does. */
  get reason() {
    if (this.#refusal) return this.#refusal;
    if (this.#needs) return this.#needs;
    return this.#failed === null ? null : 'the network does not carry the scene';
  }

  /** Takes the engine's settings of the listener. */
  set({ method, racks = false }) {
    if (method === 'personal') this.#needs = 'the method “personal” needs the HRTF that the engine has';
    else this.#needs = racks ? 'there are effects in a rack, which the engine renders' : null;
  }

  /** The browser cannot render any more. */
  fail(reason) {
    this.#refusal = reason;
  }

  /**
   * Takes the numbers of the player.
   *
   * @param {number} now seconds
   * @param numbers as the player reports them, with `stream.profile` while the browser renders
   */
  note(now, { concealedMilliseconds, playing, stream }) {
    if (this.#failed !== null) {
      if (now - this.#failed > this.#patience) {
        this.#failed = null;
        this.#history = [];
        this.#patience = Math.min(longestPatience, 2 * this.#patience);
      }
      return;
    }
    if (stream?.format !== 'scene' || !playing) return;
    // A better profile comes first.
    if (stream.profile !== 'low' || this.#history.at(-1)?.missing > concealedMilliseconds / 1000) this.#history = [];
    this.#history.push({ now, missing: concealedMilliseconds / 1000 });
    while (this.#history.length > 2 && now - this.#history[1].now >= window) this.#history.shift();
    const [first] = this.#history;
    const seconds = now - first.now;
    const missing = concealedMilliseconds / 1000 - first.missing;
    if (seconds < window || missing < mostMissing * seconds) return;
    this.#failed = now;
    this.#history = [];
  }
}
