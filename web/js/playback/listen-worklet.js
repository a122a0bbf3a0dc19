import { Player } from './player.js';

/** Plays packets from the page on the audio thread. */
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
