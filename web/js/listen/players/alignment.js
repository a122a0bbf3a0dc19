/** Seconds by which two sounds may be apart and still count as together; for members of a group, whose clocks are measured. */
const together = 0.00015;
const togetherInGroup = 0.001;
/** Seconds by which the current sound is made later than the new one could be, so that the new one is not short of packets. */
const reserve = 0.005;
/** Seconds by which the current sound is made later at least: less is left to a slight change of speed, which takes long. */
const leastMove = 0.008;
/** Milliseconds after which sounds that do not come together are crossfaded as they are. */
const patience = 4000;
/** Milliseconds in which an order shows in the reports, and after which a placed sound that does not play is left alone. */
const settling = 250;
const mostSilent = 1000;

/**
 * Brings a new sound to the same time as the current one, so that both are equal sample by sample: the new one is placed where the present
 * one is; where its packets come too late for that, the current one is made later first, by the splices with which every jitter buffer
 * follows the network.
 */
export class Alignment {
  #present;
  #next;
  #begun = null;
  #ordered = -Infinity;
  #isPlaced = false;
  #isLed = false;
  #isHeld = false;
  #isGivenUp = false;

  /** @param present the sound that is heard @param next the one that follows; each with `follow` and `align` */
  constructor(present, next) {
    this.#present = present;
    this.#next = next;
  }

  /**
   * Takes the latest numbers of both players.
   *
   * @param {number} now milliseconds
   * @returns {string} `under way`; `together`, when they are equal; or `apart`, when they stay apart
   */
  step(now, present, next) {
    if (!next.playing) return this.#wait(now);
    this.#begun ??= now;
    if (this.#isGivenUp) return 'apart';
    // Members of a group have their time already.
    if (next.off !== null && !this.#isPlaced) return this.#inGroup(now, present, next);
    if (!Number.isFinite(present.origin) || !Number.isFinite(next.origin) || now - this.#begun > patience) return 'apart';
    if (now - this.#ordered < settling) return 'under way';
    const late = next.origin - present.origin;
    if (this.#isPlaced && Math.abs(late) < together) return 'together';
    this.#ordered = now;
    if (late <= 0 || this.#isPlaced) {
      // A present sound that is still on its way to be later would move on.
      if (this.#isLed && !this.#isHeld) this.#present.follow(present.origin);
      this.#isHeld = true;
      this.#isPlaced = true;
      this.#next.align(present.origin);
    } else {
      this.#isLed = true;
      this.#present.follow(present.origin + Math.max(late + reserve, leastMove));
    }
    return 'under way';
  }

  /** The new sound does not play: it has no packets yet, or too late ones for its place. */
  #wait(now) {
    if (this.#isPlaced && !this.#isGivenUp && now - this.#ordered > mostSilent) {
      this.#isGivenUp = true;
      this.#next.follow(null);
    }
    return 'under way';
  }

  #inGroup(now, present, next) {
    if (Math.max(Math.abs(next.off), Math.abs(present.off ?? Infinity)) < togetherInGroup) return 'together';
    return now - this.#begun > patience ? 'apart' : 'under way';
  }

  /** The current sound continues alone, as early as the network allows. */
  abandon() {
    if (this.#isLed) this.#present.follow(null);
  }

  /** The new one does. */
  finish() {
    if (this.#isPlaced) this.#next.follow(null);
  }
}
