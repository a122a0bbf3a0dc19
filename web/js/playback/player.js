import { JitterBuffer } from './jitter-buffer.js';

/** Plays packets through a jitter buffer and reports its numbers about ten times a second; for a worklet or a page. */
export class Player {
  constructor(rate, outputRate, report) {
    this.buffer = new JitterBuffer({ rate, outputRate });
    this.report = report;
    this.reportFrames = Math.round(outputRate / 10);
    this.energy = 0;
    this.frames = 0;
  }

  push(number, samples) {
    this.buffer.push(number, samples);
  }

  play(left, right) {
    this.buffer.pull(left, right);
    for (let frame = 0; frame < left.length; frame += 1) this.energy += (left[frame] ** 2 + right[frame] ** 2) / 2;
    this.frames += left.length;
    if (this.frames >= this.reportFrames) this.#tell();
  }

  #tell() {
    const { buffer } = this;
    const milliseconds = (frames) => Math.max(0, (frames / buffer.rate) * 1000);
    this.report({
      playing: buffer.isPlaying,
      rms: Math.sqrt(this.energy / this.frames),
      packets: buffer.packets,
      dropped: buffer.dropped,
      underruns: buffer.underruns,
      overruns: buffer.overruns,
      bufferMilliseconds: milliseconds(buffer.fill),
      targetMilliseconds: milliseconds(buffer.target),
    });
    this.energy = 0;
    this.frames = 0;
  }
}
