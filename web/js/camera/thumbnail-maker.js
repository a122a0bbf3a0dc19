import { encodeFrame } from './camera-wire.js';
import { fittedSize } from './picture-encoder.js';

/** Milliseconds between two small pictures, and their shorter side in pixels. */
const interval = 5000;
const side = 90;
/** Bytes and pixels that the engine takes. */
const largest = 16_000;
const longest = 320;

/** Makes small still pictures of the own camera or screen, for those who may watch it without asking. */
export class ThumbnailMaker {
  #number = 0;
  #timer = null;

  /**
   * @param {HTMLVideoElement} video shows the own picture
   * @param events `{ frame(bytes), isWanted() }`
   */
  constructor(video, events, world = globalThis) {
    Object.assign(this, { video, events, world });
  }

  start() {
    if (this.#timer) return;
    this.#timer = this.world.setInterval(() => this.make(), interval);
    this.make();
  }

  stop() {
    this.world.clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Sends a picture, if there is one and somebody may see it. */
  async make() {
    const { videoWidth: width, videoHeight: height } = this.video;
    if (!width || !this.events.isWanted() || !this.world.OffscreenCanvas) return;
    const size = fittedSize(width, height, Math.min(side, (longest * Math.min(width, height)) / Math.max(width, height)));
    const canvas = new this.world.OffscreenCanvas(size.width, size.height);
    canvas.getContext('2d', { alpha: false }).drawImage(this.video, 0, 0, size.width, size.height);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.6 });
    const content = new Uint8Array(await blob.arrayBuffer());
    if (blob.type !== 'image/jpeg' || content.length > largest || !this.#timer || !this.events.isWanted()) return;
    this.#number += 1;
    this.events.frame(encodeFrame({ kind: 'still', codec: 'jpeg', number: this.#number, ...size, timestamp: 0 }, content.length,
      (place) => place.set(content)));
  }
}
