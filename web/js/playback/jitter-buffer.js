/** Frames over which sound fades at an underrun, a return or a jump. */
const fadeFrames = 128;
/** Largest share by which playback is slowed down or sped up to follow the sender's clock. */
export const largestCorrection = 0.002;
/** Seconds without an underrun after which the target begins to fall; each underrun doubles them, up to the longest. */
export const calmAfter = 10;
const longestCalm = 160;
/** Seconds by which the target falls in a second. */
const fall = 0.001;

/**
 * Stereo sound from the network, played out evenly.
 *
 * Starts once `target` frames have arrived. An underrun fades out and raises the target, which falls again once no underrun has
 * occurred for a while; an overrun jumps back to the target, and a drifting clock is followed by reading slightly faster or slower.
 * Independent of worklets and sockets.
 */
export class JitterBuffer {
  /**
   * @param {number} rate frames per second of the packets
   * @param {number} outputRate frames per second of the output
   */
  constructor({ rate, outputRate = rate, target = 0.06, longestTarget = 0.2, capacity = 1 }) {
    this.rate = rate;
    this.ratio = rate / outputRate;
    this.target = target * rate;
    this.lowestTarget = this.target;
    this.calm = calmAfter;
    this.sinceUnderrun = 0;
    this.longestTarget = longestTarget * rate;
    this.size = Math.ceil(capacity * rate);
    this.left = new Float32Array(this.size);
    this.right = new Float32Array(this.size);
    this.written = 0;
    this.position = 0;
    this.isPlaying = false;
    this.gain = 0;
    this.lastLeft = 0;
    this.lastRight = 0;
    this.jumpFrom = 0;
    this.jumpLeft = 0;
    this.smoothedFill = this.target;
    this.nextNumber = null;
    this.packets = 0;
    this.dropped = 0;
    this.underruns = 0;
    this.overruns = 0;
  }

  /** Number of frames that wait to be played. */
  get fill() {
    return this.written - this.position;
  }

  /** Takes a packet of interleaved 16-bit samples. */
  push(number, samples) {
    if (this.nextNumber !== null && number > this.nextNumber) this.dropped += number - this.nextNumber;
    this.nextNumber = number + 1;
    this.packets += 1;
    for (let index = 0; index + 1 < samples.length; index += 2) {
      const slot = this.written % this.size;
      this.left[slot] = samples[index] / 32768;
      this.right[slot] = samples[index + 1] / 32768;
      this.written += 1;
    }
    const most = Math.min(this.size - fadeFrames - 2, this.target * 2 + 0.06 * this.rate);
    if (this.fill > most) this.#jumpToTarget();
  }

  /** Fills both outputs, with silence where there is nothing. */
  pull(left, right) {
    if (!this.isPlaying && this.fill >= this.target) {
      this.isPlaying = true;
      this.smoothedFill = this.fill;
    }
    this.#lower(left.length * this.ratio);
    const step = this.ratio * (1 + this.#correction(left.length));
    for (let frame = 0; frame < left.length; frame += 1) this.#frame(left, right, frame, step);
  }

  #frame(left, right, frame, step) {
    if (this.isPlaying && this.fill < 2 + step) {
      this.isPlaying = false;
      this.underruns += 1;
      this.target = Math.min(this.longestTarget, this.target * 1.5);
      if (this.underruns > 1) this.calm = Math.min(longestCalm, this.calm * 2);
      this.sinceUnderrun = 0;
    }
    if (this.isPlaying) {
      this.lastLeft = this.#read(this.left, this.position);
      this.lastRight = this.#read(this.right, this.position);
      if (this.jumpLeft > 0) this.#blendJump(step);
      this.position += step;
    }
    const change = 1 / fadeFrames;
    this.gain = this.isPlaying ? Math.min(1, this.gain + change) : Math.max(0, this.gain - change);
    left[frame] = this.lastLeft * this.gain;
    right[frame] = this.lastRight * this.gain;
  }

  #read(channel, position) {
    const whole = Math.floor(position);
    const share = position - whole;
    const here = channel[whole % this.size];
    return here + (channel[(whole + 1) % this.size] - here) * share;
  }

  /** Lowers the target gradually when there has been no underrun for long enough, and forgets old ones in time. */
  #lower(frames) {
    if (!this.isPlaying) return;
    this.sinceUnderrun += frames / this.rate;
    if (this.sinceUnderrun < this.calm) return;
    this.target = Math.max(this.lowestTarget, this.target - fall * frames);
    if (this.sinceUnderrun > 10 * this.calm) this.calm = calmAfter;
  }

  /** Relative correction of the reading speed, from the excess of waiting frames. */
  #correction(frames) {
    if (!this.isPlaying) return 0;
    this.smoothedFill += (this.fill - this.smoothedFill) * Math.min(1, frames / this.rate);
    const excess = (this.smoothedFill - this.target) / this.target;
    return Math.max(-largestCorrection, Math.min(largestCorrection, excess * 0.005));
  }

  /** Continues `target` frames before the end, with a crossfade from the old position. */
  #jumpToTarget() {
    this.overruns += 1;
    if (this.isPlaying) {
      this.jumpFrom = this.position;
      this.jumpLeft = fadeFrames;
    }
    this.position = this.written - this.target;
    this.smoothedFill = this.target;
  }

  #blendJump(step) {
    const share = this.jumpLeft / fadeFrames;
    this.lastLeft += (this.#read(this.left, this.jumpFrom) - this.lastLeft) * share;
    this.lastRight += (this.#read(this.right, this.jumpFrom) - this.lastRight) * share;
    this.jumpFrom += step;
    this.jumpLeft -= 1;
  }
}
