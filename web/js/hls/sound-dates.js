/** Longest time in milliseconds in which the earliest arrival determines the difference of the clocks. */
const period = 60_000;

/** Times at which the engine rendered the sound in a buffer, and so the delay of what is played. */
export class SoundDates {
  #parts = [];
  #arrivals = [];

  /**
   * A part was appended.
   *
   * @param begin place in the buffer, seconds
   * @param date time of its first sound by the engine's clock, milliseconds since 1970
   * @param now time of its arrival by this browser's clock
   */
  add({ begin, date, duration }, now) {
    this.#parts.push({ begin, date, end: begin + duration });
    if (this.#parts.length > 200) this.#parts.shift();
    // A part is there when its last sound has been rendered, not before.
    this.#arrivals = this.#arrivals.filter((arrival) => now - arrival.now < period);
    this.#arrivals.push({ now, late: now - date - 1000 * duration });
  }

  /** Milliseconds by which this browser's clock is ahead of the engine's, as far as the fastest part shows. */
  get ahead() {
    return Math.min(...this.#arrivals.map(({ late }) => late));
  }

  /** Milliseconds from the rendering of the sound at a place to now; NaN where it is not known. */
  delay(place, now) {
    const part = this.#parts.findLast(({ begin, end }) => begin <= place && place <= end + 0.1);
    return part ? now - this.ahead - (part.date + 1000 * (place - part.begin)) : NaN;
  }
}
