/** Frames whose delays count. */
const most = 150;

/** Delays of the latest frames in milliseconds, and which of them come too late. */
export class DelayRecord {
  #delays = [];

  add(delay) {
    if (this.#delays.length === most) this.#delays.shift();
    this.#delays.push(delay);
  }

  clear() {
    this.#delays = [];
  }

  get count() {
    return this.#delays.length;
  }

  /** The delay that a share of the frames keeps; null before the first. */
  share(part) {
    if (this.#delays.length === 0) return null;
    const sorted = [...this.#delays].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)];
  }

  /**
   * Whether a frame comes too late: by more than `tolerance` after the mean of the last ten. Nothing is late while there are fewer.
   */
  isLate(delay, tolerance) {
    const last = this.#delays.slice(-10);
    if (last.length < 10) return false;
    return delay > last.reduce((sum, each) => sum + each, 0) / last.length + tolerance;
  }
}
