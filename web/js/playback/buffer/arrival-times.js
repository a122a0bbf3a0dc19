/** Seconds of arrivals that count, in parts that are forgotten one by one. */
const memory = 16;
const parts = 16;
/** Width of a bin and number of bins, for delays of up to half a second after the earliest. */
const width = 0.001;
const bins = 512;

/** Delays of the packets of the last seconds, and their quantiles. */
export class ArrivalTimes {
  constructor() {
    this.restart(0);
  }

  /** Forgets all. */
  restart(time) {
    this.begun = time;
    this.origin = null;
    this.part = 0;
    this.counts = Array.from({ length: parts }, () => new Uint16Array(bins));
    this.sums = new Uint32Array(bins);
    this.total = 0;
  }

  /**
   * Notes a packet.
   *
   * @param {number} time seconds of the receiver
   * @param {number} transit arrival minus the packet's own time, seconds
   */
  note(time, transit) {
    if (this.origin === null) this.origin = transit - 0.02;
    while (time - this.begun > memory / parts) this.#forget();
    let bin = Math.floor((transit - this.origin) / width);
    if (bin < 0) {
      this.#move(-bin + 20);
      bin = Math.floor((transit - this.origin) / width);
    }
    bin = Math.max(0, Math.min(bins - 1, bin));
    this.counts[this.part][bin] += 1;
    this.sums[bin] += 1;
    this.total += 1;
  }

  #forget() {
    this.begun += memory / parts;
    this.part = (this.part + 1) % parts;
    const old = this.counts[this.part];
    for (let bin = 0; bin < bins; bin += 1) {
      this.sums[bin] -= old[bin];
      this.total -= old[bin];
    }
    old.fill(0);
    // The clocks drift: the origin follows the earliest arrivals.
    const first = this.sums.findIndex((count) => count > 0);
    if (first > 100) this.#move(-(first - 20));
  }

  /** Makes room for earlier arrivals, or for later ones. */
  #move(by) {
    this.origin -= by * width;
    for (const row of [...this.counts, this.sums]) {
      const old = row.slice();
      row.fill(0);
      for (let bin = 0; bin < bins; bin += 1) row[Math.max(0, Math.min(bins - 1, bin + by))] += old[bin];
    }
  }

  /** The transit time that a share of the packets does not exceed, in seconds; null before the first. */
  quantile(share) {
    if (this.total === 0) return null;
    let missing = (1 - share) * this.total;
    for (let bin = bins - 1; bin >= 0; bin -= 1) {
      missing -= this.sums[bin];
      if (missing < 0) return this.origin + (bin + 1) * width;
    }
    return this.origin;
  }
}
