/** Levels: linear to dB, dB to a position on a meter, and held peaks. */

/** The lowest level that a meter shows. */
export const floor = -60;
/** The highest level that a meter shows; levels above 0 dB would clip. */
export const ceiling = 6;

/** 1.0 is 0 dB; silence is minus infinity. */
export const toDecibels = (linear) => (linear > 0 ? 20 * Math.log10(linear) : -Infinity);

/** Position of a level in dB on a meter, 0 (bottom) to 1 (top). */
export const place = (decibels) => Math.min(1, Math.max(0, (decibels - floor) / (ceiling - floor)));

/** Position of a linear level on a meter. */
export const placeOf = (linear) => place(toDecibels(linear));

/** A level as text; silence is −∞. */
export function decibelText(decibels) {
  if (decibels < -99) return '−∞';
  const rounded = Math.round(decibels * 10) / 10;
  return rounded.toFixed(1).replace('-', '−');
}

/** Holds the largest value for a time, then lets it fall at a constant rate. */
export class PeakHold {
  /**
   * @param {number} hold seconds that a peak stays
   * @param {number} fall dB per second after that
   */
  constructor(hold = 1.5, fall = 24) {
    this.hold = hold;
    this.fall = fall;
    this.level = -Infinity;
    this.since = 0;
  }

  /** Takes a new level in dB at `now` in seconds and returns the held level. */
  take(decibels, now) {
    if (decibels >= this.at(now)) {
      this.level = decibels;
      this.since = now;
    }
    return this.at(now);
  }

  /** The held level at `now`. */
  at(now) {
    const late = now - this.since - this.hold;
    if (late <= 0) return this.level;
    const fallen = this.level - late * this.fall;
    return fallen < floor ? -Infinity : fallen;
  }
}

/** Set when a level reaches 0 dB, until it is reset. */
export class ClipLatch {
  constructor() {
    this.count = 0;
  }

  get isSet() {
    return this.count > 0;
  }

  take(linear) {
    if (linear >= 1) this.count += 1;
    return this.isSet;
  }

  reset() {
    this.count = 0;
  }
}
