import { similarSound } from './similar-sound.js';

/** States of a frame: nothing yet, arrived, made up. */
const [empty, arrived, madeUp] = [0, 1, 2];
/** Frames over which sound that was made up passes into sound that has arrived. */
const blend = 128;
/** Seconds after which sound that is made up begins to fade, and until it is silent. */
const fadeFrom = 0.01;
const fadeTo = 0.05;
/** Seconds between which the period of sound is looked for. */
const shortestPeriod = 0.004;
const longestPeriod = 0.0125;
/** Seconds that are compared, and over which parts overlap where sound is shortened or lengthened. */
const overlap = 0.005;
/** Channels that are compared, at most. */
const mostCompared = 4;

/**
 * Sound of some channels by index, of which some may be missing: what is missing is made up when it is needed.
 *
 * Sound is made up from the last period before the gap, which fades after a while; it passes smoothly into the sound after it.
 */
export class SoundRing {
  constructor(rate, seconds, count = 2) {
    this.rate = rate;
    this.size = 2 ** Math.ceil(Math.log2(rate * seconds));
    this.mask = this.size - 1;
    this.channels = Array.from({ length: count }, () => new Float32Array(this.size));
    this.states = new Uint8Array(this.size);
    this.frame = new Float32Array(count);
    const stride = Math.ceil(count / mostCompared);
    const compared = this.channels.filter((_, channel) => channel % stride === 0);
    // Channels that are added later are not compared.
    this.sum = (index) => {
      let sum = 0;
      for (const channel of compared) sum += channel[index & this.mask];
      return sum;
    };
    this.restart(0);
  }

  /** Adds a silent channel. */
  grow() {
    this.channels.push(new Float32Array(this.size));
    this.frame = new Float32Array(this.channels.length);
    this.gap?.steps.push(0);
  }

  /** Empties the ring. */
  restart(index) {
    this.states.fill(empty);
    /** First index that is not final, and the one after the last that has arrived. */
    this.done = index;
    this.end = index;
    this.gap = null;
    this.blendLeft = 0;
  }

  /**
   * Writes sound; what is final or there already stays.
   *
   * @returns {number} frames that were new
   */
  write(start, ...sound) {
    const { length } = sound[0];
    let count = 0;
    for (let frame = Math.max(0, this.done - start); frame < length; frame += 1) {
      const at = (start + frame) & this.mask;
      if (start + frame - this.done >= this.size / 2) break;
      if (this.states[at] !== empty) continue;
      for (let channel = 0; channel < sound.length; channel += 1) {
        this.channels[channel][at] = Math.max(-1, Math.min(1, sound[channel][frame])) || 0;
      }
      this.states[at] = arrived;
      count += 1;
    }
    if (count > 0) this.end = Math.max(this.end, start + length);
    return count;
  }

  /** Number of frames since sound began to be made up; 0 when it is not. */
  get gapLength() {
    return this.gap === null ? 0 : this.done - this.gap.start;
  }

  /** Leaves out everything before an index. */
  skip(index) {
    for (; this.done < index; this.done += 1) this.states[(this.done + this.size / 2) & this.mask] = empty;
    this.end = Math.max(this.end, this.done);
    this.gap = null;
    this.blendLeft = 0;
  }

  /** Makes everything before an index final. Returns the number of frames that had to be made up. */
  finish(until) {
    let count = 0;
    for (; this.done < until; this.done += 1) {
      const at = this.done & this.mask;
      if (this.states[at] === arrived) {
        if (this.gap) this.#pass();
      } else {
        this.#makeUp(at);
        count += 1;
      }
      // Room for what comes half a ring later.
      this.states[(this.done + this.size / 2) & this.mask] = empty;
    }
    this.end = Math.max(this.end, this.done);
    return count;
  }

  #makeUp(at) {
    if (!this.gap) this.gap = this.#newGap(this.done);
    const frame = this.#madeUpFrame(this.done);
    this.channels.forEach((channel, i) => { channel[at] = frame[i]; });
    this.states[at] = madeUp;
    this.blendLeft = blend;
  }

  #newGap(start) {
    const length = Math.round(overlap * this.rate);
    const { lag } = similarSound(this.sum, start - length, length,
      -Math.round(longestPeriod * this.rate), -Math.round(shortestPeriod * this.rate));
    const period = -lag;
    // The step from the end of the period to its beginning, which is taken out gradually.
    const step = (channel) => channel[(start - 1) & this.mask] - channel[(start - period - 1) & this.mask];
    return { start, period, steps: this.channels.map(step) };
  }

  #madeUpFrame(index) {
    const { start, period, steps } = this.gap;
    const past = index - start;
    const phase = past % period;
    const at = (start - period + phase) & this.mask;
    const smooth = Math.max(0, 1 - phase / blend);
    const gain = Math.max(0, Math.min(1, (fadeTo * this.rate - past) / ((fadeTo - fadeFrom) * this.rate)));
    for (let i = 0; i < steps.length; i += 1) this.frame[i] = gain * (this.channels[i][at] + steps[i] * smooth);
    return this.frame;
  }

  /** Blends a frame that has arrived with what was being made up. */
  #pass() {
    const at = this.done & this.mask;
    const frame = this.#madeUpFrame(this.done);
    const share = this.blendLeft / (blend + 1);
    this.channels.forEach((channel, i) => { channel[at] += (frame[i] - channel[at]) * share; });
    this.blendLeft -= 1;
    if (this.blendLeft <= 0) this.gap = null;
  }

  // Sound that waits becomes shorter or longer.

  /** Whether everything up to an index has arrived and nothing is being blended. */
  #isWhole(until) {
    if (this.gap || until > this.end) return false;
    for (let index = this.done; index < until; index += 1) if (this.states[index & this.mask] === empty) return false;
    return true;
  }

  /**
   * Takes out or repeats a part of the sound that waits, where it resembles what follows.
   *
   * @param {boolean} shorter whether to take out
   * @param {number} likeness that is wanted, -1 to 1
   * @returns {number} frames by which the sound after it is later, below 0 when it is earlier; 0 when nothing was done
   */
  splice(shorter, likeness) {
    const length = Math.round(overlap * this.rate);
    const [shortest, longest] = [length, 3 * length];
    const from = this.done;
    if (!this.#isWhole(from + longest + length)) return 0;
    const best = similarSound(this.sum, from, length, shortest, longest);
    if (best.likeness < likeness) return 0;
    if (shorter) this.#takeOut(from, best.lag, length);
    else this.#repeat(from, best.lag, length);
    return shorter ? -best.lag : best.lag;
  }

  #takeOut(from, lag, length) {
    for (const channel of this.channels) {
      for (let frame = 0; frame < length; frame += 1) {
        const share = (frame + 0.5) / length;
        const at = (from + frame) & this.mask;
        channel[at] += (channel[(from + frame + lag) & this.mask] - channel[at]) * share;
      }
    }
    for (let index = from + length; index < this.end; index += 1) {
      const [to, source] = [index & this.mask, (index + lag) & this.mask];
      const isInside = index + lag < this.end;
      for (const channel of this.channels) channel[to] = channel[source];
      this.states[to] = isInside ? this.states[source] : empty;
    }
    this.end -= lag;
  }

  #repeat(from, lag, length) {
    for (let index = this.end - 1; index >= from + length; index -= 1) {
      const [to, source] = [(index + lag) & this.mask, index & this.mask];
      for (const channel of this.channels) channel[to] = channel[source];
      this.states[to] = this.states[source];
    }
    this.end += lag;
    // The moved part begins at `lag + length`; before it the first part fades into its own beginning.
    const heads = this.channels.map((channel) =>
      Float32Array.from({ length: length + lag }, (_, frame) => channel[(from + frame) & this.mask]));
    this.channels.forEach((channel, side) => {
      for (let frame = 0; frame < length; frame += 1) {
        const share = (frame + 0.5) / length;
        const old = heads[side][frame + lag];
        channel[(from + lag + frame) & this.mask] = old + (heads[side][frame] - old) * share;
      }
    });
    for (let index = from; index < from + lag + length; index += 1) this.states[index & this.mask] = arrived;
  }
}
