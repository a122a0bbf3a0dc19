/** Seconds over which messages are compared, and a difference from which the recording has jumped. */
const window = 2;
const jump = 0.12;
/** Seconds by which a message may be late on a busy machine, and for which messages have to be so before that counts as a jump. */
const latest = 0.5;
const doubt = 0.1;
/** Seconds of the recording in which a jump has come from a loop. */
const beginning = 0.3;

/**
 * The position in the recording that the engine renders, between and beyond its messages.
 *
 * Messages arrive late by different amounts, and never early. So the message with the least delay counts, of those of the last seconds.
 */
export class SoundTime {
  #looks = [];
  #rate = 0;
  #rest = 0;
  /** Time of the first message that was late or after a jump; null without any. */
  #doubtful = null;
  /** Course before the last jump, `{ offset, until }`: it is heard as long as sound from before is in a buffer. */
  #former = null;

  get isPlaying() {
    return this.#rate > 0;
  }

  /** Takes the transport's state. */
  setPlaying(isPlaying, time) {
    const rate = isPlaying ? 1 : 0;
    if (rate === this.#rate) return;
    this.#rest = this.at(time);
    this.#rate = rate;
    this.#looks = [];
    this.#former = null;
  }

  /**
   * Takes a position in seconds that arrived at a time in seconds.
   *
   * @returns whether the recording has jumped
   */
  take(position, time) {
    if (!this.isPlaying) {
      this.#rest = position;
      return false;
    }
    const offset = position - time;
    const change = this.#looks.length > 0 ? offset - this.#offset : 0;
    if (change >= -jump) this.#doubtful = null;
    else this.#doubtful ??= time;
    if (change < -jump && change > -latest && time - this.#doubtful < doubt) return false;
    const hasJumped = Math.abs(change) > jump;
    if (hasJumped) {
      // A message about a loop comes when the beginning has been played already.
      this.#former = { offset: this.#offset, until: position < beginning ? time - position : this.#doubtful ?? time };
      [this.#looks, this.#doubtful] = [[], null];
    }
    this.#looks.push({ offset, time });
    this.#looks = this.#looks.filter((look) => look.time > time - window);
    return hasJumped;
  }

  get #offset() {
    return Math.max(...this.#looks.map(({ offset }) => offset));
  }

  /** The position at a time. */
  at(time) {
    if (this.#looks.length === 0) return this.#rest;
    return time + (this.#former && time < this.#former.until ? this.#former.offset : this.#offset);
  }
}
