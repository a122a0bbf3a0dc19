import { JitterBuffer } from './buffer/jitter-buffer.js';

/** Plays packets through a jitter buffer and reports its numbers about ten times a second; for a worklet or a page. */
export class Player {
  /** @param {number} now seconds of the output's clock */
  constructor(rate, outputRate, report, now = 0) {
    this.buffer = new JitterBuffer({ rate, outputRate });
    this.buffer.now = now;
    this.report = report;
    this.reportFrames = Math.round(outputRate / 10);
    this.energy = 0;
    this.frames = 0;
  }

  /** Takes a packet: the engine's sample count at its first frame, and both ears. */
  push(start, left, right) {
    this.buffer.push(start, left, right);
  }

  /** Time at which sample 0 is to be played, on the clock of `play`; null for a player of no group. */
  follow(origin) {
    this.buffer.wantedOrigin = origin;
  }

  /** Starts again at that time, for sound that is not heard yet. */
  place(origin) {
    this.buffer.place(origin);
  }

  /** @param {number} [time] seconds of the output's clock at the first frame */
  play(left, right, time) {
    if (time !== undefined) this.buffer.now = time;
    this.buffer.pull(left, right);
    for (let frame = 0; frame < left.length; frame += 1) this.energy += (left[frame] ** 2 + right[frame] ** 2) / 2;
    this.frames += left.length;
    if (this.frames >= this.reportFrames) this.#tell();
  }

  #tell() {
    const { buffer } = this;
    this.report({
      playing: buffer.isPlaying,
      rms: Math.sqrt(this.energy / this.frames),
      packets: buffer.packets,
      dropped: buffer.lost,
      late: buffer.late,
      refused: buffer.refused,
      underruns: buffer.underruns,
      overruns: buffer.overruns,
      concealedMilliseconds: (1000 * buffer.madeUp) / buffer.rate,
      longestGapMilliseconds: (1000 * buffer.longestGap) / buffer.rate,
      bufferMilliseconds: 1000 * buffer.delay,
      packetMilliseconds: (1000 * buffer.packetLength) / buffer.rate,
      targetMilliseconds: 1000 * buffer.target,
      drift: buffer.driftPpm,
      // Time of the output's clock at which sample 0 would have been played; null while nothing plays.
      origin: buffer.origin,
      // Seconds by which playing is off the group's time; null for a player of no group.
      off: buffer.wantedOrigin === null ? null : buffer.excess,
    });
    this.energy = 0;
    this.frames = 0;
  }
}
