/** Seconds from which the video seeks in place of changing its rate, up to which it is left alone, and between two seeks. */
const far = 0.15;
const near = 0.004;
const patience = 1;
/** Largest change of the rate, and the change for each second of error. */
const strongest = 0.25;
const gain = 2;
/** Number of frames whose error is kept. */
const kept = 300;

/** Keeps a video in step with the sound: by its rate, and by seeking only when it is far off. */
export class VideoClock {
  #errors = [];
  #seekAt = -Infinity;
  /** Seconds that a seek takes, by which the next one aims ahead. */
  #lead = 0.1;
  seeks = 0;

  /**
   * Decides what the video is to do.
   *
   * @param shown time in the video of the frame that is shown, seconds
   * @param wanted time in the video that belongs to the sound
   * @param now seconds
   * @returns `{ rate }`, or `{ seek }` in seconds
   */
  follow(shown, wanted, now) {
    const error = shown - wanted;
    if (Math.abs(error) > far) {
      if (now - this.#seekAt < patience) return { rate: 1 };
      this.#seekAt = now;
      this.seeks += 1;
      this.#errors = [];
      return { seek: Math.max(0, wanted + this.#lead) };
    }
    // The first frames after a seek tell how well it aimed.
    if (this.#seekAt > -Infinity && now - this.#seekAt < patience && this.#errors.length === 0) {
      this.#lead = Math.min(1, Math.max(0, this.#lead - error / 2));
    }
    this.#errors.push(error);
    if (this.#errors.length > kept) this.#errors.shift();
    if (Math.abs(error) < near) return { rate: 1 };
    return { rate: 1 - Math.min(strongest, Math.max(-strongest, error * gain)) };
  }

  /** Forgets the errors so far: the sound has stopped or jumped, or the video is another. */
  reset() {
    this.#errors = [];
    this.#seekAt = -Infinity;
  }

  /** Median and 95th percentile in milliseconds of the distance between picture and sound, and the number of frames that they are of. */
  get statistics() {
    const sorted = this.#errors.map((error) => 1000 * Math.abs(error)).sort((one, two) => one - two);
    const quantile = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
    return { median: quantile(0.5), p95: quantile(0.95), frames: sorted.length };
  }
}
