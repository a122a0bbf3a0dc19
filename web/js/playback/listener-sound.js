import { prepare, soundOutput } from './sound-output.js';

/** Length in bytes of a packet's header. */
const headBytes = 16;

/** Numbers of the player while nothing plays. */
export const silence = Object.freeze({
  playing: false, rms: 0, packets: 0, dropped: 0, underruns: 0, overruns: 0,
  bufferMilliseconds: 0, targetMilliseconds: 0,
});

/**
 * Sound of one listener, from the engine's socket to the speakers.
 *
 * Calls `report(numbers)` about ten times a second, and `ended(reason)` when it stops by itself.
 */
export class ListenerSound {
  constructor(name, likelyRate, told) {
    this.name = name;
    this.likelyRate = likelyRate;
    this.told = told;
    this.context = null;
    this.output = null;
    this.volume = 1;
    this.isStopped = false;
  }

  /** Starts the sound. Call it from a click, since browsers allow sound only then. */
  async start() {
    await this.#openContext(this.likelyRate);
    if (this.isStopped) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/audio/${this.name}`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onmessage = ({ data }) => (typeof data === 'string' ? this.#begin(JSON.parse(data)) : this.#pass(data));
    socket.onclose = () => this.#fail('The engine ended the sound of this listener.');
  }

  /** Sets the volume, 0 to 1, which is squared to follow loudness. */
  setVolume(volume) {
    this.volume = volume;
    if (this.gain) this.gain.gain.setTargetAtTime(volume ** 2, this.context.currentTime, 0.02);
  }

  stop() {
    this.isStopped = true;
    if (this.socket) this.socket.onclose = null;
    this.socket?.close();
    this.output?.end();
    this.context?.close();
    this.context = null;
  }

  async #openContext(rate) {
    try {
      this.context = new AudioContext({ sampleRate: rate, latencyHint: 'interactive' });
    } catch {
      this.context = new AudioContext({ latencyHint: 'interactive' });
    }
    await prepare(this.context);
  }

  /** Takes the socket's first frame, the format of the sound. */
  async #begin(format) {
    if (format.format !== 's16le' || format.channels !== 2) {
      this.#fail(`The engine sends “${format.format}” with ${format.channels} channels; this page plays s16le stereo.`);
      return;
    }
    if (this.context.sampleRate !== format.rate) {
      await this.context.close();
      await this.#openContext(format.rate);
    }
    if (this.isStopped) return;
    const { context } = this;
    this.gain = new GainNode(context, { gain: this.volume ** 2 });
    this.output = soundOutput(context, format.rate, (numbers) => this.told.report(numbers));
    this.output.node.connect(this.gain).connect(context.destination);
  }

  #pass(data) {
    if (!this.output) return;
    const number = new DataView(data).getUint32(0, true);
    this.output.push(number, new Int16Array(data.slice(headBytes)));
  }

  #fail(reason) {
    if (this.isStopped) return;
    this.stop();
    this.told.ended(reason);
  }
}
