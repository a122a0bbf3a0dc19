import { between } from './sphere-geometry.js';

/** Seconds for which orientations are kept. */
const kept = 3;

/** Orientations of a head in the last seconds, for the picture that belongs to the sound being heard. */
export class HeadHistory {
  #heads = [];

  /**
   * Adds the orientation of the present.
   *
   * @param time seconds of a clock that only moves forwards
   * @param turnedAt when the head turned to it, where that is known: until then it was as before, and did not turn evenly
   */
  add(head, time, turnedAt = null) {
    const last = this.#heads.at(-1);
    if (last && last.time >= time) this.#heads.pop();
    else if (last && turnedAt > last.time && turnedAt < time) {
      this.#heads.push({ head: last.head, time: turnedAt }, { head, time: turnedAt });
    }
    this.#heads.push({ head, time });
    while (this.#heads.length > 2 && this.#heads[1].time < time - kept) this.#heads.shift();
  }

  /** The orientation at a time, between the two nearest ones; the first or last one outside of what is kept; null without any. */
  at(time) {
    const next = this.#heads.findIndex((each) => each.time > time);
    if (next === -1) return this.#heads.at(-1)?.head ?? null;
    const two = this.#heads[next];
    if (next === 0) return two.head;
    const one = this.#heads[next - 1];
    return between(one.head, two.head, (time - one.time) / (two.time - one.time));
  }
}
