/** Levels: linear to dB, dB to a place on a meter, and a peak that stays for a while. */

/** The lowest level that a meter shows. */
export const floor = -60;
/** The highest; above 0 dB lies what would clip. */
export const ceiling = 6;

/** 1.0 is 0 dB; silence is minus infinity. */
export const toDecibels = (linear) => (linear > 0 ? 20 * Math.log10(linear) : -Infinity);

/** Where a level in dB lies on a meter, 0 (bottom) to 1 (top). */
export const place = (decibels) => Math.min(1, Math.max(0, (decibels - floor) / (ceiling - floor)));

/** Where a linear level lies on a meter. */
export const placeOf = (linear) => place(toDecibels(linear));

/** A level as text, silence as a sign. */
export function decibelText(decibels) {
  if (decibels < -99) return '−∞';
  const rounded = Math.round(decibels * 10) / 10;
  return rounded.toFixed(1).replace('-', '−');
}

/** Keeps the largest value for a time, then lets it fall at a steady rate. */
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

  /** Takes a new level in dB at `now` in seconds and returns what to show. */
  take(decibels, now) {
    if (decibels >= this.at(now)) {
      this.level = decibels;
      this.since = now;
    }
    return this.at(now);
  }

  /** What to show at `now`. */
  at(now) {
    const late = now - this.since - this.hold;
    if (late <= 0) return this.level;
    const fallen = this.level - late * this.fall;
    return fallen < floor ? -Infinity : fallen;
  }
}

/** Remembers that 0 dB was reached until somebody resets it. */
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
