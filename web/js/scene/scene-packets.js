import { OpusDecoder } from '../playback/stream/opus-decoder.js';
import { readScenePacket } from './scene-packet.js';

/** Packets of which some channels are decoded and others are not, at most. */
const mostPending = 50;

/** Decodes the packets of a scene: one decoder for each channel. */
export class ScenePackets {
  #handlers;
  #world;
  #format = null;
  /** Decoders by the name of their channel. */
  #decoders = new Map();
  #pending = new Map();
  #failed = false;
  #lost = 0;

  /**
   * @param handlers `scene(packet)` with `{ start, array, sound, sides, objects }`, of which `sound` holds the samples of all channels;
   *   `undecodable(reason)`
   */
  constructor(handlers, world = globalThis) {
    this.#handlers = handlers;
    this.#world = world;
  }

  /** Packets that the decoders have refused. */
  get refused() {
    return this.#lost;
  }

  begin(format) {
    this.#format = format;
  }

  /** Takes a packet; returns false when it is damaged. */
  take(data) {
    const packet = readScenePacket(data, this.#format.frames);
    if (!packet || this.#pending.has(packet.start)) return false;
    const { tracks, microphones, sides, objects } = packet;
    const names = [
      ...Array.from({ length: microphones }, (_, i) => `microphone ${i}`), ...Array.from({ length: sides }, (_, i) => `side ${i}`),
      ...objects.map(({ number }) => `object ${number}`),
    ];
    if (new Set(names).size !== names.length) return false;
    this.#keep(names);
    const places = new Map(names.map((name, i) => [name, i]));
    this.#pending.set(packet.start, { packet, places, sound: [], missing: names.length });
    while (this.#pending.size > mostPending) this.#drop();
    if (names.length === 0) this.#finish(packet.start);
    tracks.forEach((content, i) => this.#decoder(names[i]).push(packet.start, content));
    return true;
  }

  /** Ends the decoders of channels that are gone. */
  #keep(names) {
    for (const [name, decoder] of this.#decoders) {
      if (names.includes(name)) continue;
      decoder.end();
      this.#decoders.delete(name);
    }
  }

  #drop() {
    this.#pending.delete(this.#pending.keys().next().value);
    this.#lost += 1;
  }

  #decoder(name) {
    const known = this.#decoders.get(name);
    if (known) return known;
    const decoder = new OpusDecoder((start, samples) => this.#add(name, start, samples), (reason) => this.#fail(reason), this.#world, 1);
    this.#decoders.set(name, decoder);
    return decoder;
  }

  #add(name, start, samples) {
    const waiting = this.#pending.get(start);
    const place = waiting?.places.get(name);
    if (place === undefined || waiting.sound[place]) return;
    waiting.sound[place] = samples;
    waiting.missing -= 1;
    if (waiting.missing === 0) this.#finish(start);
  }

  #finish(start) {
    const { packet, sound } = this.#pending.get(start);
    this.#pending.delete(start);
    const { array, microphones, sides, objects } = packet;
    const frames = this.#format.frames;
    if (sound.some(({ length }) => length !== frames)) {
      this.#lost += 1;
      return;
    }
    this.#handlers.scene({ start: start - (this.#format.delay ?? 0), frames, array, microphones, sides, objects, sound });
  }

  #fail(reason) {
    if (this.#failed) return;
    this.#failed = true;
    this.#handlers.undecodable(reason);
  }

  end() {
    for (const decoder of this.#decoders.values()) decoder.end();
    this.#decoders.clear();
    this.#pending.clear();
  }
}
