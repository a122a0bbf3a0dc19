import { roles } from '../../shared/tree/roles.js';

/**
 * Follows the recording that somebody has chosen for the group of this page's listener: the page plays it instead of the engine's sound,
 * and returns when the choice is withdrawn.
 */
export class GroupRecording {
  #engine;
  #switchTo;
  /** Group of the listener that the page had last, from 1; 0 for none. */
  #group = 0;
  /** Name of the recording that the page has been sent to; null when it went where it is by itself. */
  #sent = null;

  /**
   * @param engine an `EngineLink`
   * @param {function(string | null)} switchTo receives the name of a packed recording, or null for the engine's sound
   */
  constructor(engine, switchTo) {
    this.#engine = engine;
    this.#switchTo = switchTo;
  }

  get #wanted() {
    const node = this.#engine.root?.findAll(roles.groupRecording)[this.#group - 1];
    return (node && this.#engine.values.of(node)[0]) || null;
  }

  /**
   * Looks whether the page has to play something else.
   *
   * @param {string | null} playing name of the packed recording that plays; null for the engine's sound, undefined for neither
   */
  look(playing) {
    const node = this.#engine.own(roles.listenerGroup);
    const isSent = this.#sent !== null && playing === this.#sent;
    if ((playing === null || isSent) && node) this.#group = this.#engine.values.number(node);
    if (playing !== null && !isSent) {
      this.#sent = null;
      return;
    }
    const wanted = this.#wanted;
    if (wanted === playing || !this.#engine.isLive) return;
    this.#sent = wanted;
    this.#switchTo(wanted);
  }
}
