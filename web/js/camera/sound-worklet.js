import { JitterBuffer } from '../playback/buffer/jitter-buffer.js';

/** Plays the decoded packets of a link evenly, at the pace of the sender's clock. */
class SoundProcessor extends AudioWorkletProcessor {
  constructor() {
    super();
    this.buffer = new JitterBuffer({ rate: 48000, outputRate: sampleRate, channels: 1 });
    this.isEnded = false;
    this.port.onmessage = ({ data }) => {
      if (data === 'end') this.isEnded = true;
      else this.buffer.push(data.start, data.samples);
    };
  }

  process(_, [[output]]) {
    this.buffer.now = currentTime;
    this.buffer.pull(output);
    return !this.isEnded;
  }
}

registerProcessor('sound', SoundProcessor);
