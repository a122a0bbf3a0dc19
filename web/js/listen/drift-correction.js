/** Speed in degrees per second above which the head is not at rest, and yaw beyond which it looks aside on purpose. */
const stillness = 10;
const farthest = 60;
/** Longest time in seconds between two orientations that counts. */
const longestStep = 1;

const dot = (one, other) => Math.abs(one.reduce((sum, value, index) => sum + value * other[index], 0));

/** Angle in degrees between two orientations. */
const between = (one, other) => (2 * Math.acos(Math.min(1, dot(one, other))) * 180) / Math.PI;

/** Pulls the yaw of a head at rest slowly to straight ahead, as the engine does for trackers: gyroscopes drift. */
export class DriftCorrection {
  #last = null;
  /** Degrees per minute; 0 is off. */
  rate = 0;
  /** Degrees that were corrected so far. */
  total = 0;

  /** Forgets the previous orientation. */
  restart() {
    this.#last = null;
  }

  /**
   * Returns the degrees by which the head is to be turned to the right.
   *
   * @param head quaternion w x y z
   * @param yaw of it, degrees
   * @param now milliseconds
   */
  correct(head, yaw, now) {
    const last = this.#last;
    this.#last = { head, now };
    if (!(this.rate > 0) || !last || now <= last.now) return 0;
    const seconds = Math.min((now - last.now) / 1000, longestStep);
    if (between(last.head, head) >= stillness * seconds || Math.abs(yaw) >= farthest) return 0;
    const most = (this.rate / 60) * seconds;
    const correction = Math.max(-most, Math.min(most, yaw));
    this.total += correction;
    return correction;
  }
}
