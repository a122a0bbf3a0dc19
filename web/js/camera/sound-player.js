import { OpusDecoder } from '../playback/stream/opus-decoder.js';

const worklet = new URL('sound-worklet.js', import.meta.url);
/** Samples that a packet usually has. */
const usual = 960;

/** Plays the sound of one link, at the pace of its sender's clock; what is missing is concealed. */
export class SoundPlayer {
  #context = null;
  #decoder = null;
  #node = null;
  #output = null;
  #isMuted = false;
  /** Number of the latest packet, and place of the sample after it. */
  #last = null;
  #next = 0;
  level = 0;

  constructor(world = globalThis) {
    this.world = world;
  }

  /** Whether the sound is taken, but not heard. */
  set isMuted(isMuted) {
    this.#isMuted = isMuted;
    if (this.#output) this.#output.gain.value = isMuted ? 0 : 1;
  }

  get isMuted() {
    return this.#isMuted;
  }

  /** Takes a packet. */
  push(frame) {
    if (!this.#decoder) this.#open();
    this.#decoder?.push(frame.number * usual, frame.content);
  }

  #open() {
    const { world } = this;
    if (!world.AudioDecoder || !world.AudioContext) return;
    this.#context = new world.AudioContext({ latencyHint: 'interactive' });
    this.#decoder = new OpusDecoder((start, samples) => this.#play(Math.round(start / usual), samples), () => {}, world, 1);
    this.#connect(this.#context);
  }

  async #connect(context) {
    try {
      await context.audioWorklet.addModule(worklet);
    } catch {
      // Without it, as after the end of the link, nothing is heard.
      return;
    }
    if (context !== this.#context) return;
    this.#node = new this.world.AudioWorkletNode(context, 'sound', { numberOfInputs: 0, outputChannelCount: [1] });
    this.#output = context.createGain();
    this.isMuted = this.#isMuted;
    this.#node.connect(this.#output).connect(context.destination);
  }

  #play(number, samples) {
    // Packets that are missing leave a gap.
    if (this.#last !== null) this.#next += Math.max(0, number - this.#last - 1) * samples.length;
    const start = this.#next;
    [this.#last, this.#next] = [number, start + samples.length];
    if (this.#context?.state === 'suspended') this.#context.resume();
    this.level = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0.9 * this.level);
    this.#node?.port.postMessage({ start, samples }, [samples.buffer]);
  }

  end() {
    this.#node?.port.postMessage('end');
    this.#decoder?.end();
    if (this.#context && this.#context.state !== 'closed') this.#context.close();
    [this.#decoder, this.#context, this.#node, this.#output, this.#last] = [null, null, null, null, null];
  }
}
