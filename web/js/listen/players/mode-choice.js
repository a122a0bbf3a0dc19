import { allMethods } from '../../../renderer/methods.js';

/** Seconds of measurement that count, and the share of sound in them that may be missing at the low profile. */
const window = 10;
const mostMissing = 0.15;
/** Seconds of measurement and share of missing sound after which a network counts as failed, whatever the profile, or of silence. */
const shortWindow = 1.5;
const mostInShort = 0.4;
const mostSilent = 1;
/** Seconds after which the scene is tried again, the first time and at most. */
const firstPatience = 60;
const longestPatience = 960;
/** Seconds between two reports after which they do not belong together: the page stood still. */
const longestPause = 0.5;

/**
 * Chooses by measurement who renders: this browser from the scene (`client`), or the engine (`server`).
 *
 * The browser renders as long as it can, what the listener has set allows it, and the network carries the scene at its low profile. A
 * network that has become far too narrow is left within a second or two, since the low profile is of no use there.
 * Independent of sockets and of the sound.
 */
export class ModeChoice {
  #refusal;
  #needs = null;
  #history = [];
  /** Latest `{ now, missing }`, whatever the profile. */
  #latest = [];
  #silentSince = null;
  #failed = null;
  #hasFailed = false;
  #patience;

  /**
   * @param {string | null} refusal why this browser cannot render the scene
   * @param {number} patience seconds after which a scene that the network did not carry is tried again
   */
  constructor(refusal, patience = firstPatience) {
    this.#refusal = refusal;
    this.#patience = patience;
  }

  /** `client` or `server`. */
  get mode() {
    return this.reason === null ? 'client' : 'server';
  }

  /** Reason why the engine renders; null when the browser does. */
  get reason() {
    if (this.#refusal) return this.#refusal;
    if (this.#needs) return this.#needs;
    return this.#failed === null ? null : 'the network does not carry the scene';
  }

  /** Whether the network is the reason: what is left of it belongs to the sound that is to follow. */
  get isNarrow() {
    return !this.#refusal && !this.#needs && this.#failed !== null;
  }

  /** Whether the network is narrow, or was so before: a scene begins with its low profile. */
  get isDoubtful() {
    return this.isNarrow || this.#hasFailed;
  }

  /** The network did not carry the scene: it has not begun in time. */
  giveUp(now) {
    this.#failed = now;
    this.#hasFailed = true;
    this.#forget();
  }

  /** Takes the engine's settings of the listener. */
  set({ method, racks = false, hrtf = false, place = false, crowded = false }) {
    const needsHRTF = allMethods.some((each) => each.name === method && each.needsHRTF);
    if (needsHRTF) this.#needs = `the method “${method}” needs an HRTF, which only the engine has`;
    else if (racks) this.#needs = 'effects in a rack are rendered by the engine';
    else if (hrtf) this.#needs = 'objects are heard through an HRTF, which only the engine has';
    else if (place) this.#needs = 'the listener has a place of its own among the objects, where the engine renders them';
    else this.#needs = crowded ? 'there are more objects than a page receives' : null;
  }

  /** The browser cannot render any more. */
  fail(reason) {
    this.#refusal = reason;
  }

  /**
   * Takes the numbers of the player.
   *
   * @param {number} now seconds
   * @param numbers as the player reports them, with `stream.profile` while the browser renders; `isEmpty` says that there is no recording
   */
  note(now, { concealedMilliseconds, playing, isEmpty = false, stream }) {
    if (this.#failed !== null) {
      if (now - this.#failed > this.#patience) {
        this.#failed = null;
        this.#forget();
        this.#patience = Math.min(longestPatience, 2 * this.#patience);
      }
      return;
    }
    if (stream?.format !== 'scene') return;
    // The network carries packets, in which there is no sound.
    if (isEmpty) {
      this.#forget();
      return;
    }
    const missing = concealedMilliseconds / 1000;
    if (this.#hasBrokenDown(now, missing, playing) || (playing && this.#isTooNarrow(now, missing, stream.profile))) this.giveUp(now);
  }

  #forget() {
    this.#history = [];
    this.#latest = [];
    this.#silentSince = null;
  }

  #hasBrokenDown(now, missing, playing) {
    const latest = this.#latest;
    const last = latest.at(-1);
    // A player that restarts, and a page that stood still, say nothing about the network.
    if (last && (last.missing > missing || now - last.now > longestPause)) {
      latest.length = 0;
      this.#silentSince = null;
    }
    // Sound that has not begun is the business of the connection.
    if (latest.length === 0 && !playing) return false;
    latest.push({ now, missing });
    while (latest.length > 2 && now - latest[1].now >= shortWindow) latest.shift();
    if (playing) this.#silentSince = null;
    else this.#silentSince ??= now;
    if (this.#silentSince !== null && now - this.#silentSince >= mostSilent) return true;
    const [first] = latest;
    return now - first.now >= shortWindow && missing - first.missing > mostInShort * (now - first.now);
  }

  #isTooNarrow(now, missing, profile) {
    // A better profile comes first.
    if (profile !== 'low' || this.#history.at(-1)?.missing > missing) this.#history = [];
    this.#history.push({ now, missing });
    while (this.#history.length > 2 && now - this.#history[1].now >= window) this.#history.shift();
    const [first] = this.#history;
    const seconds = now - first.now;
    return seconds >= window && missing - first.missing >= mostMissing * seconds;
  }
}
