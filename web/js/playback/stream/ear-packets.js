import { OpusDecoder } from './opus-decoder.js';
import { plainSound, readPacket } from './packet.js';

/** Decodes the packets of one listener's ears. */
export class EarPackets {
  #handlers;
  #world;
  #format = null;
  #decoder = null;

  /** @param handlers `sound(start, left, right)`, `undecodable(reason)` */
  constructor(handlers, world = globalThis) {
    this.#handlers = handlers;
    this.#world = world;
  }

  /** Packets that the decoder has refused. */
  get refused() {
    return this.#decoder?.refused ?? 0;
  }

  /** Takes the format of the packets that follow. */
  begin(format) {
    this.#format = format;
    if (format.format !== 'opus') return;
    this.#decoder ??= new OpusDecoder(
      (start, left, right) => this.#handlers.sound(start - (this.#format.delay ?? 0), left, right),
      (reason) => this.#handlers.undecodable(reason), this.#world);
  }

  /** Takes a packet; returns false when it is damaged. */
  take(data) {
    const packet = readPacket(data, this.#format);
    if (!packet) return false;
    if (this.#format.format === 'opus') this.#decoder.push(packet.start, packet.content);
    else this.#handlers.sound(packet.start, ...plainSound(packet.content));
    return true;
  }

  end() {
    this.#decoder?.end();
  }
}
