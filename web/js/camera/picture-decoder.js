import { codecConfig } from './codec-config.js';

/** Pictures per second for which a level is chosen: as many as a sender may send. */
const mostRate = 60;
/** Pictures that may wait in the decoder; more mean that it does not keep up. */
const mostQueued = 30;

/** Decodes the pictures of one link. */
export class PictureDecoder {
  #decoder = null;
  #codec = null;
  /** The codec with its level, as WebCodecs calls it. */
  #name = null;
  #last = null;
  #needsKey = true;
  /** Frames that could not be decoded. */
  refused = 0;

  /** @param events `{ picture(videoFrame), needsKey() }`; the picture has to be closed */
  constructor(events, world = globalThis) {
    this.events = events;
    this.world = world;
  }

  /** Name of the codec of the current pictures; null before the first. */
  get codec() {
    return this.#codec;
  }

  get queued() {
    return this.#decoder?.decodeQueueSize ?? 0;
  }

  /** @param frame of `decodeFrame` */
  push(frame) {
    if (frame.kind === 'key') this.#begin(frame);
    const isNext = this.#last === null || frame.number === this.#last + 1;
    this.#last = frame.number;
    if (frame.kind === 'delta' && (this.#needsKey || !isNext || this.queued > mostQueued)) {
      // The relay skips to key frames by itself; only what this browser loses has to be asked for.
      if (!this.#needsKey) this.#ask();
      this.refused += 1;
      return;
    }
    try {
      this.#decoder.decode(new this.world.EncodedVideoChunk({ type: frame.kind, timestamp: frame.timestamp, data: frame.content }));
      this.#needsKey = false;
    } catch {
      this.refused += 1;
      this.#ask();
    }
  }

  #begin({ codec, width, height }) {
    const { codec: name } = codecConfig(codec, { width, height, rate: mostRate });
    if (this.#decoder?.state === 'configured' && name === this.#name) return;
    this.end();
    const decoder = new this.world.VideoDecoder({
      output: (picture) => {
        if (decoder === this.#decoder) this.events.picture(picture);
        else picture.close();
      },
      error: () => {
        if (decoder !== this.#decoder) return;
        this.refused += 1;
        this.#decoder = null;
        this.#ask();
      },
    });
    decoder.configure({ codec: name, optimizeForLatency: true });
    [this.#decoder, this.#codec, this.#name] = [decoder, codec, name];
  }

  #ask() {
    this.#needsKey = true;
    this.events.needsKey();
  }

  end() {
    const decoder = this.#decoder;
    this.#decoder = null;
    this.#needsKey = true;
    if (decoder && decoder.state !== 'closed') decoder.close();
  }
}
