import { Player } from './player.js';

/** Plays packets from the page on the audio thread. */
class ListenProcessor extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.player = new Player(processorOptions.rate, sampleRate, (numbers) => this.port.postMessage(numbers), currentTime);
    this.isEnded = false;
    this.port.onmessage = ({ data }) => {
      if (data === 'end') this.isEnded = true;
      else if (data.left) this.player.push(data.start, data.left, data.right);
      else if (data.place !== undefined) this.player.place(data.place);
      else this.player.follow(data.origin);
    };
  }

  process(_, [[left, right]]) {
    this.player.play(left, right, currentTime);
    return !this.isEnded;
  }
}

registerProcessor('listen', ListenProcessor);
