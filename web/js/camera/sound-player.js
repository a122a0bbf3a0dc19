import { OpusDecoder } from '../playback/stream/opus-decoder.js';

/** Seconds of sound that are kept ahead, and beyond which sound is left out to catch up. */
const ahead = 0.06;
const most = 0.25;

/** Plays the sound of one link, packet after packet. */
export class SoundPlayer {
  #context = null;
  #next = 0;
  #decoder = null;
  /** Packets that came too early to be played in time, or too late. */
  leftOut = 0;
  level = 0;

  constructor(world = globalThis) {
    this.world = world;
  }

  push(frame) {
    if (!this.#decoder) this.#open();
    this.#decoder?.push(0, frame.content);
  }

  #open() {
    if (!this.world.AudioDecoder || !this.world.AudioContext) return;
    this.#context = new this.world.AudioContext({ latencyHint: 'interactive' });
    this.#decoder = new OpusDecoder((_, samples) => this.#play(samples), () => {}, this.world, 1);
  }

  #play(samples) {
    const context = this.#context;
    if (!context || context.state === 'closed') return;
    if (context.state === 'suspended') context.resume();
    const now = context.currentTime;
    if (this.#next < now) this.#next = now + ahead;
    if (this.#next > now + most) {
      this.leftOut += 1;
      return;
    }
    this.level = Math.max(...samples.map(Math.abs), this.level * 0.9);
    const buffer = context.createBuffer(1, samples.length, 48000);
    buffer.copyToChannel(samples, 0);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(context.destination);
    source.start(this.#next);
    this.#next += samples.length / 48000;
  }

  end() {
    this.#decoder?.end();
    this.#context?.close();
    [this.#decoder, this.#context] = [null, null];
  }
}
