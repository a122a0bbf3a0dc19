/** Packets over which the estimate averages at most, by which it is slow. */
const longest = 12000;
/** Packets before the estimate is used. */
const shortest = 300;
/** Largest difference of two clocks that is believed. */
const largest = 0.001;
/** Seconds by which a packet may be off the line before the estimate restarts. */
const jump = 0.5;

/**
 * Drift of the sender's clock against the receiver's: the slope of the arrival times over the packets' times.
 *
 * A line of least squares that forgets: it grows with the first packets, then follows slowly.
 */
export class ClockDrift {
  constructor() {
    this.restart();
  }

  restart() {
    this.count = 0;
    this.level = 0;
    this.slope = 0;
    this.last = 0;
  }

  /**
   * Notes a packet.
   *
   * @param {number} time seconds of the sender's clock
   * @param {number} transit arrival by the receiver's clock minus `time`
   */
  note(time, transit) {
    const step = time - this.last;
    if (this.count > 0 && (step <= 0 || step > 1)) {
      if (step > 1) this.last = time;
      return;
    }
    this.last = time;
    if (this.count === 0) this.level = transit;
    this.level += this.count > 0 ? this.slope * step : 0;
    const error = transit - this.level;
    if (Math.abs(error) > jump) {
      this.count = 0;
      this.level = transit;
    }
    const n = Math.min(this.count, longest);
    this.level += (error * 2 * (2 * n + 1)) / ((n + 1) * (n + 2));
    if (this.count > 0) this.slope += ((error / step) * 6) / ((n + 1) * (n + 2));
    this.count += 1;
  }

  /** Receiver's seconds per second of the sender, minus 1. */
  get value() {
    return this.count < shortest ? 0 : Math.max(-largest, Math.min(largest, this.slope));
  }
}
