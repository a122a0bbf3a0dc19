import { encodeFrame } from './camera-wire.js';

/** Bits per second of the sound. */
const bitrate = 32_000;
const worklet = new URL('microphone-worklet.js', import.meta.url);

/** Encodes a microphone as Opus and passes on frames as they are sent. */
export class SoundEncoder {
  #number = 0;
  #samples = 0;
  #begun = 0;

  /** @param events `{ frame(bytes), failed(text), clock() }` */
  constructor(events, world = globalThis) {
    this.events = events;
    this.world = world;
    this.isOn = false;
  }

  /** @param {MediaStreamTrack} track */
  async start(track) {
    if (this.isOn) return;
    this.isOn = true;
    let context = null;
    try {
      if (!this.world.AudioEncoder) throw new Error('this browser cannot encode sound');
      context = new this.world.AudioContext({ sampleRate: 48000, latencyHint: 'interactive' });
      this.context = context;
      await context.audioWorklet.addModule(worklet);
      // Meanwhile it may have been stopped, and started again.
      if (this.context !== context) return;
      this.encoder = new this.world.AudioEncoder({ output: (chunk) => this.#send(chunk), error: (error) => this.#fail(error) });
      this.encoder.configure({
        codec: 'opus', sampleRate: 48000, numberOfChannels: 1, bitrate, opus: { frameDuration: 20_000, application: 'voip' },
      });
      const node = new this.world.AudioWorkletNode(context, 'microphone', { numberOfOutputs: 0 });
      node.port.onmessage = ({ data }) => this.#take(data);
      context.createMediaStreamSource(new this.world.MediaStream([track])).connect(node);
      await context.resume();
    } catch (error) {
      if (this.context === context || !context) this.#fail(error);
    }
  }

  #take(samples) {
    if (!this.isOn || this.encoder?.state !== 'configured') return;
    if (this.#samples === 0) this.#begun = 1000 * this.events.clock();
    const data = new this.world.AudioData({
      format: 'f32-planar', sampleRate: 48000, numberOfFrames: samples.length, numberOfChannels: 1,
      timestamp: this.#begun + (this.#samples * 1e6) / 48000, data: samples,
    });
    this.#samples += samples.length;
    this.encoder.encode(data);
    data.close();
  }

  #send(chunk) {
    this.#number += 1;
    this.events.frame(encodeFrame({ kind: 'sound', codec: 'opus', number: this.#number, timestamp: chunk.timestamp }, chunk.byteLength,
      (place) => chunk.copyTo(place)));
  }

  #fail(error) {
    if (!this.isOn) return;
    this.stop();
    this.events.failed(`The sound cannot be encoded: ${error.message}`);
  }

  stop() {
    this.isOn = false;
    if (this.encoder?.state !== 'closed') this.encoder?.close();
    this.context?.close();
    [this.encoder, this.context, this.#samples] = [null, null, 0];
  }
}
