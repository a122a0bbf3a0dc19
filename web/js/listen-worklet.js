import { Player } from './player.js';

/** Plays packets that the page hands over, on the thread of the sound. */
class ListenProcessor extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.player = new Player(processorOptions.rate, sampleRate, (numbers) => this.port.postMessage(numbers));
    this.isEnded = false;
    this.port.onmessage = ({ data }) => {
      if (data === 'end') this.isEnded = true;
      else this.player.push(data.number, data.samples);
    };
  }

  process(_, [[left, right]]) {
    this.player.play(left, right);
    return !this.isEnded;
  }
}

registerProcessor('listen', ListenProcessor);
