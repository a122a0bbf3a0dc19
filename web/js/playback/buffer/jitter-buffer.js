import { ArrivalTimes } from './arrival-times.js';
import { ClockDrift } from './clock-drift.js';
import { reach, SincReader } from './sinc-reader.js';
import { SoundRing } from './sound-ring.js';

/** Share of the packets that arrive in time, by which the delay is chosen. */
const inTime = 0.997;
/** Seconds by which packets are to arrive before they are needed: the rest of a render quantum, and the bins' width. */
const margin = 0.004;
/** Seconds of sound that have to wait before playing begins, at least. */
const firstFill = 0.02;
/** Seconds of silence after which a pause is over only when enough sound waits again. */
const longestGap = 0.3;
/** Seconds of the largest delay of a group. */
const longestInGroup = 1;
/** Seconds by which the delay may be too long, or too short, before anything but the drift is corrected. */
const tooLong = 0.003;
const tooShort = 0.0005;
/** Seconds by which the delay may be off before sound is spliced, and between two splices. */
const spliceFrom = 0.012;
const spliceEvery = 0.1;
/** Seconds after which an unwanted delay is corrected although nothing resembles itself. */
const patience = 1.5;
/** Largest share by which playing is slowed down or sped up, and seconds in which an error in the delay is corrected. */
const largestCorrection = 0.0015;
const correctionTime = 60;
const groupTime = 10;
/** Seconds over which the speed is smoothed. */
const speedTime = 8;
const groupSpeedTime = 0.5;
/** Seconds by which a packet may be away from the others before it counts as another stream, and packets that prove one. */
const farAway = 1;
const proof = 4;
/** Frames over which sound fades in. */
const fadeFrames = 256;

/**
 * Sound of some channels from the network, played out evenly.
 *
 * Each packet stands at the engine's sample count. The delay follows from the quantiles of the arrival times; it grows and shrinks by
 * splices where the sound resembles itself, and by a slight change of speed. Missing sound is concealed. Independent of worklets and
 * sockets; all times are seconds of the output's clock.
 */
export class JitterBuffer {
  /**
   * @param {number} rate frames per second of the packets
   * @param {number} outputRate frames per second of the output
   * @param {number} longest seconds of the largest delay
   * @param {number} channels
   */
  constructor({ rate, outputRate = rate, longest = 0.25, channels = 2 }) {
    this.rate = rate;
    this.outputRate = outputRate;
    this.longest = longest;
    this.ring = new SoundRing(rate, 2, channels);
    this.frame = new Float32Array(channels);
    this.reader = new SincReader(rate / outputRate);
    this.arrivals = new ArrivalTimes();
    this.drift = new ClockDrift();
    this.now = 0;
    this.isPlaying = false;
    this.speed = 1;
    this.gain = 0;
    /** Time at which sample 0 of the sender is to be played, for a group; null without one. */
    this.wantedOrigin = null;
    this.stray = [];
    this.packets = 0;
    this.late = 0;
    this.lost = 0;
    this.refused = 0;
    this.underruns = 0;
    this.overruns = 0;
    this.splices = 0;
    this.madeUp = 0;
    this.played = 0;
    /** Frames of the current run of sound that is made up, and of the longest. */
    this.gap = 0;
    this.longestGap = 0;
    this.#restart(0);
  }

  /** Adds a channel, silent until now. */
  grow() {
    this.ring.grow();
    this.frame = new Float32Array(this.ring.channels.length);
  }

  #restart(start) {
    this.base = start;
    this.packetLength = 0;
    this.shift = 0;
    this.newest = null;
    this.position = 0;
    this.offSince = null;
    this.lastSplice = -Infinity;
    this.ring.restart(0);
    this.arrivals.restart(this.now);
    this.drift.restart();
    this.isPlaying = false;
    this.stray = [];
  }

  /** Seconds of sound that wait. */
  get delay() {
    return Math.max(0, (this.ring.end - this.position) / this.rate);
  }

  /** Seconds of sound that have to wait, as far as the arrivals show. */
  get target() {
    const quantile = this.arrivals.quantile(inTime);
    const early = this.arrivals.quantile(0.5);
    if (quantile === null) return firstFill;
    return Math.min(this.longest, Math.max(0, quantile - early) + margin + this.packetLength / this.rate);
  }

  /** Drift of the sender's clock against the output's, parts per million; positive for a sender that is fast. */
  get driftPpm() {
    return -1e6 * this.drift.value;
  }

  /**
   * Takes a packet.
   *
   * @param {number} start the engine's sample count at its first frame
   * @param {...Float32Array} sound one array for each channel
   * @returns {boolean} whether it was of use
   */
  push(start, ...sound) {
    const frames = sound[0]?.length ?? 0;
    if (!Number.isSafeInteger(start) || start < 0 || frames === 0 || frames > this.rate / 4
      || sound.length !== this.frame.length || sound.some(({ length }) => length !== frames)) {
      this.refused += 1;
      return false;
    }
    if (this.newest === null) this.#restart(start);
    else if (Math.abs(start - this.newest) > farAway * this.rate && !this.#isOtherStream(start, frames)) return false;
    this.packetLength = frames;
    this.packets += 1;
    const expected = this.newest;
    const transit = this.now - (start - this.base) / this.rate;
    this.arrivals.note(this.now, transit);
    if (expected === null || start >= expected) {
      this.drift.note((start - this.base) / this.rate, transit);
      if (expected !== null) this.lost += Math.round((start - expected) / frames);
      this.newest = start + frames;
    } else if (this.lost > 0) {
      this.lost -= 1;
    }
    const longest = this.wantedOrigin === null ? this.longest : Math.max(this.longest, longestInGroup);
    if (this.delay > longest + longestGap) this.#jump();
    const index = start - this.base + this.shift;
    if (index + frames <= this.ring.done) {
      this.late += 1;
      return false;
    }
    if (this.ring.write(index, ...sound) > 0) return true;
    this.refused += 1;
    return false;
  }

  /** Whether packets far away from the others follow each other: the engine was restarted, or stood still. */
  #isOtherStream(start, frames) {
    const last = this.stray.at(-1);
    if (last !== undefined && (start <= last || start - last > 4 * frames)) this.stray = [];
    this.stray.push(start);
    if (this.stray.length < proof) {
      this.refused += 1;
      return false;
    }
    this.#restart(start);
    return true;
  }

  /** Leaves out sound that has piled up, as while the output stood still; a group's time chooses the place again. */
  #jump() {
    this.overruns += 1;
    if (this.wantedOrigin === null) {
      this.position = this.ring.end - firstFill * this.rate;
      this.ring.skip(Math.floor(this.position) - reach);
    } else {
      this.isPlaying = false;
    }
    this.arrivals.restart(this.now);
    this.drift.restart();
    this.gain = 0;
  }

  /** Fills one output for each channel. */
  pull(...outputs) {
    const frames = outputs[0].length;
    if (!this.isPlaying) this.#begin();
    if (this.isPlaying) {
      this.#steer(frames / this.outputRate);
      this.#play(outputs, frames);
    } else {
      for (const output of outputs) output.fill(0);
      // Silence after the sound has ended is a gap as well.
      if (this.played > 0) this.#noteGap(frames * (this.rate / this.outputRate), true);
    }
    this.now += frames / this.outputRate;
  }

  #begin() {
    if (this.newest === null) return;
    const { ring } = this;
    if (this.wantedOrigin === null) {
      const wanted = Math.max(this.target, firstFill) * this.rate;
      if (ring.end - ring.done < wanted) return;
      this.position = ring.end - wanted;
    } else {
      this.position = (this.now - this.wantedOrigin) * this.rate - this.base + this.shift;
      // Sound that is not due yet waits.
      if (ring.end < this.position + reach || this.position < ring.done - 2 * reach) return;
    }
    ring.skip(Math.floor(this.position) - reach);
    this.isPlaying = true;
    this.gain = 0;
  }

  #play(outputs, frames) {
    const { ring, reader, rate, frame: values } = this;
    const step = (rate / this.outputRate) * this.speed;
    const until = Math.floor(this.position + frames * step) + reach + 1;
    const missing = until - Math.max(ring.end, ring.done);
    // Nothing has come that could follow: the rest of the sound is played later.
    if (missing > 0) {
      if (ring.gapLength === 0) this.underruns += 1;
      this.shift += missing;
    }
    const made = ring.finish(until);
    this.#noteGap(made, made > 0);
    this.played += frames;
    for (let frame = 0; frame < frames; frame += 1) {
      reader.read(ring.channels, ring.mask, this.position, values);
      this.gain = Math.min(1, this.gain + 1 / fadeFrames);
      for (let channel = 0; channel < values.length; channel += 1) {
        outputs[channel][frame] = Math.max(-1, Math.min(1, values[channel] * this.gain));
      }
      this.position += step;
    }
    if (missing > 0 && ring.gapLength > longestGap * rate) this.isPlaying = false;
  }

  /** Counts frames that were made up, and the longest run of them. */
  #noteGap(frames, isGap) {
    this.gap = isGap ? this.gap + frames : 0;
    this.longestGap = Math.max(this.longestGap, this.gap);
    this.madeUp += frames;
  }

  /** Time at which sample 0 of the sender would have been played as the current sound is; null while nothing plays. */
  get origin() {
    return this.isPlaying ? this.now + (this.shift - this.position - this.base) / this.rate : null;
  }

  /** Starts again at the wanted time, without a gradual approach; for sound that is not heard yet. */
  place(origin) {
    this.wantedOrigin = origin;
    this.isPlaying = false;
  }

  /** Seconds by which the delay is longer than wanted. */
  get excess() {
    const origin = this.now + (this.base === null ? 0 : (this.shift - this.position) / this.rate);
    if (this.wantedOrigin !== null) return origin - (this.wantedOrigin + this.base / this.rate);
    const quantile = this.arrivals.quantile(inTime);
    if (quantile === null) return 0;
    const wanted = quantile + margin + reach / this.rate;
    const most = this.arrivals.quantile(0.5) + this.longest;
    return origin - Math.min(wanted, most);
  }

  /** Chooses the speed, and shortens or lengthens the sound that waits. */
  #steer(seconds) {
    const { excess } = this;
    const isAlone = this.wantedOrigin === null;
    const most = isAlone ? tooLong : tooShort;
    const beyond = excess > most ? excess - most : Math.min(0, excess + tooShort);
    const wanted = 1 - this.drift.value + beyond / (isAlone ? correctionTime : groupTime);
    const bounded = Math.max(1 - largestCorrection, Math.min(1 + largestCorrection, wanted));
    this.speed += (bounded - this.speed) * Math.min(1, seconds / (isAlone ? speedTime : groupSpeedTime));
    if (excess < spliceFrom && excess > -spliceFrom / 2) {
      this.offSince = null;
      return;
    }
    this.offSince ??= this.now;
    if (this.now - this.lastSplice < spliceEvery) return;
    const likeness = this.now - this.offSince > patience ? -1 : 0.6;
    const moved = this.ring.splice(excess > 0, likeness);
    if (moved === 0) return;
    this.shift += moved;
    this.splices += 1;
    this.lastSplice = this.now;
  }
}
