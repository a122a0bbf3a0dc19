/**
 * Seconds from which the video seeks instead of changing its rate, up to which it is left alone, and between two seeks: at first, and
 * at most. A machine that is too busy to decode would only be made busier by further seeks.
 */
const far = 0.15;
const near = 0.004;
const patience = { first: 1, longest: 8 };
/** Longest time in seconds that a seek is expected to take, and how near its target a frame has to be to be the first after it. */
const longestSeek = 1.5;
const aim = 0.5;
/** Largest change of the rate, and the change for each second of error. */
const strongest = 0.25;
const gain = 2;
/** Number of frames whose error is kept. */
const kept = 300;

/** Keeps a video in step with the sound: by its rate, and by seeking only when it is far off. */
export class VideoClock {
  #errors = [];
  #seekAt = -Infinity;
  #patience = patience.first;
  /** Target of the current seek, until a frame from there has arrived; null otherwise. */
  #target = null;
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
    this.#learn(shown, error);
    if (Math.abs(error) > far) {
      if (now - this.#seekAt >= this.#patience) return this.#seek(wanted, now);
      // Frames from before the seek say nothing about the rate.
      if (this.#target !== null) return { rate: 1 };
      return { rate: rateFor(error) };
    }
    if (now - this.#seekAt > this.#patience) this.#patience = patience.first;
    this.#errors.push(error);
    if (this.#errors.length > kept) this.#errors.shift();
    if (Math.abs(error) < near) return { rate: 1 };
    return { rate: rateFor(error) };
  }

  #seek(wanted, now) {
    const isSoon = now - this.#seekAt < 2 * this.#patience;
    this.#patience = isSoon ? Math.min(patience.longest, 2 * this.#patience) : patience.first;
    this.#seekAt = now;
    this.seeks += 1;
    this.#errors = [];
    this.#target = Math.max(0, wanted + this.#lead);
    return { seek: this.#target };
  }

  /** Learns from the first frame after a seek how long seeks take here. */
  #learn(shown, error) {
    if (this.#target === null || Math.abs(shown - this.#target) > aim) return;
    this.#target = null;
    this.#lead = Math.min(longestSeek, Math.max(0, this.#lead - error / 2));
  }

  /** Forgets the errors so far: the sound has stopped or jumped, or the video is another. */
  reset() {
    this.#errors = [];
    this.#seekAt = -Infinity;
    this.#patience = patience.first;
    this.#target = null;
  }

  /** Median and 95th percentile in milliseconds of the distance between picture and sound, and the number of frames that they are of. */
  get statistics() {
    const sorted = this.#errors.map((error) => 1000 * Math.abs(error)).sort((one, two) => one - two);
    const quantile = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
    return { median: quantile(0.5), p95: quantile(0.95), frames: sorted.length };
  }
}

/** The rate that closes a distance in seconds. */
function rateFor(error) {
  return 1 - Math.min(strongest, Math.max(-strongest, error * gain));
}
