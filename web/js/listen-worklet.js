import { JitterBuffer } from './jitter-buffer.js';

/** Blocks of 128 frames between two reports: about ten a second. */
const reportEvery = 38;

/** Plays packets that the page hands over, and reports how that goes. */
class ListenProcessor extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.buffer = new JitterBuffer({ rate: processorOptions.rate, outputRate: sampleRate });
    this.blocks = 0;
    this.energy = 0;
    this.frames = 0;
    this.isEnded = false;
    this.port.onmessage = ({ data }) => {
      if (data === 'end') this.isEnded = true;
      else this.buffer.push(data.number, data.samples);
    };
  }

  process(_, [output]) {
    const [left, right = new Float32Array(left.length)] = output;
    this.buffer.pull(left, right);
    for (let frame = 0; frame < left.length; frame += 1) this.energy += left[frame] ** 2 + right[frame] ** 2;
    this.frames += left.length * 2;
    this.blocks += 1;
    if (this.blocks % reportEvery === 0) this.#report();
    return !this.isEnded;
  }

  #report() {
    const { buffer } = this;
    const milliseconds = (frames) => Math.max(0, (frames / buffer.rate) * 1000);
    this.port.postMessage({
      rms: Math.sqrt(this.energy / this.frames),
      isPlaying: buffer.isPlaying,
      bufferMilliseconds: milliseconds(buffer.fill),
      targetMilliseconds: milliseconds(buffer.target),
      packets: buffer.packets,
      dropped: buffer.dropped,
      underruns: buffer.underruns,
      overruns: buffer.overruns,
    });
    this.energy = 0;
    this.frames = 0;
  }
}

registerProcessor('listen', ListenProcessor);
