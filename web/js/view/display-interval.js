/** Display frames whose median counts, and seconds of one before any are known. */
const kept = 31;
const usual = 1 / 60;
/** Seconds beyond which a display frame is a pause of the page. */
const longest = 0.25;

/** Seconds between two display frames: what is drawn in one appears when the next one begins. */
export class DisplayInterval {
  #last = null;
  #intervals = [];

  /** Takes the time in seconds at which a display frame begins. */
  take(time) {
    const interval = this.#last === null ? 0 : time - this.#last;
    this.#last = time;
    if (interval <= 0 || interval > longest) return;
    this.#intervals.push(interval);
    if (this.#intervals.length > kept) this.#intervals.shift();
  }

  get seconds() {
    const sorted = [...this.#intervals].sort((one, two) => one - two);
    return sorted[sorted.length >> 1] ?? usual;
  }
}
