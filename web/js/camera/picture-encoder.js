import { encodeFrame, largest, headerBytes } from './camera-wire.js';
import { codecConfig } from './codec-config.js';

/** Pictures that may wait in the encoder, and milliseconds of pictures that may wait in the socket. */
const mostQueued = 2;
const mostWaiting = 300;
/** Milliseconds of pictures that may be on their way to the engine, and after which one that nobody confirms no longer counts. */
const mostOnTheirWay = 300;
const longestWay = 5000;

/** Whether pictures have to be left out because the network takes no more. */
export const isClogged = (waiting, bitrate) => waiting > Math.max(32_000, (bitrate / 8) * (mostWaiting / 1000));

/**
 * Whether pictures have to be left out because too much of the previous ones is still on its way to the engine: in the socket, in the
 * system, which may keep a megabyte, and in the network.
 */
export const isBehind = (sent, bitrate) => sent > Math.max(12_000, (bitrate / 8) * (mostOnTheirWay / 1000));

/** Size of the encoded picture: even, not higher than wanted, never larger than the source. */
export function fittedSize(width, height, wanted) {
  const scale = Math.min(1, wanted / Math.min(width, height));
  const even = (length) => Math.max(2, 2 * Math.round((length * scale) / 2));
  return { width: even(width), height: even(height) };
}

/**
 * Encodes the pictures of a track and passes on frames as they are sent.
 *
 * They are taken from the track where the browser has `MediaStreamTrackProcessor`, otherwise from the element that shows it, a display
 * frame later.
 */
export class PictureEncoder {
  #encoder = null;
  #config = null;
  #number = 0;
  #wantsKey = true;
  /** Whether a picture is missing, so that those until the next key frame cannot be decoded. */
  #hasGap = false;
  /** Codecs that this browser has failed to encode. */
  #failed = new Set();
  #last = -Infinity;
  #reader = null;
  /** Pictures that the engine has not confirmed: `{ number, bytes, time }`. Null until it confirms one. */
  #onTheirWay = null;
  /** Pictures that were encoded, and that were left out since the network or the encoder was behind. */
  encoded = 0;
  leftOut = 0;

  /**
   * @param {HTMLVideoElement} video shows the track
   * @param events `{ frame(bytes), waiting(), unable(codec), failed(text), clock() }`; the clock in milliseconds. Another codec has to
   *   follow after `unable`
   */
  constructor(video, events, world = globalThis) {
    this.video = video;
    this.events = events;
    this.world = world;
    this.strategy = null;
    this.isOn = false;
  }

  /** Encodes from now on, or no longer. */
  turn(isOn) {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    if (isOn) {
      this.#wantsKey = true;
      this.#onTheirWay = null;
      this.#await();
    } else {
      this.#close();
    }
  }

  /** @param strategy `{ bitrate, rate, height, codec }` from the engine */
  follow(strategy) {
    this.strategy = strategy;
  }

  /** Makes the next picture one that can be decoded by itself. */
  key() {
    this.#wantsKey = true;
  }

  /** The engine has a picture, and all before it. */
  confirm(number) {
    this.#onTheirWay = (this.#onTheirWay ?? []).filter((each) => each.number > number);
  }

  /** Bytes that have not arrived at the engine. */
  get onTheirWay() {
    const now = this.world.performance.now();
    return (this.#onTheirWay ?? []).reduce((sum, { bytes, time }) => sum + (now - time < longestWay ? bytes : 0), 0);
  }

  end() {
    this.turn(false);
  }

  #await() {
    const [track] = this.video.srcObject?.getVideoTracks() ?? [];
    if (track && this.world.MediaStreamTrackProcessor) {
      this.#read(track);
      return;
    }
    this.video.requestVideoFrameCallback((now, { width, height, captureTime }) => {
      if (!this.isOn) return;
      this.#await();
      this.#take(this.video, { width, height }, now, captureTime ?? now);
    });
  }

  async #read(track) {
    const reader = new this.world.MediaStreamTrackProcessor({ track, maxBufferSize: 1 }).readable.getReader();
    this.#reader = reader;
    try {
      for (;;) {
        const { done, value: picture } = await reader.read();
        if (done) break;
        const now = this.world.performance.now();
        const { displayWidth: width, displayHeight: height } = picture;
        if (this.isOn && reader === this.#reader) this.#take(picture, { width, height }, now, now);
        picture.close();
        if (!this.isOn || reader !== this.#reader) break;
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** @param captured milliseconds of `performance.now()` */
  #take(source, whole, now, captured) {
    const { strategy } = this;
    // Some tolerance, since pictures come at the camera's or the display's rate.
    if (!strategy || this.#failed.has(strategy.codec) || now - this.#last < 1000 / strategy.rate - 8) return;
    if (this.#encoder?.encodeQueueSize > mostQueued || isClogged(this.events.waiting(), strategy.bitrate)
      || isBehind(this.onTheirWay, strategy.bitrate)) {
      this.leftOut += 1;
      return;
    }
    this.#last = now;
    const size = fittedSize(whole.width, whole.height, strategy.height);
    try {
      this.#configure(size);
      const timestamp = Math.round(1000 * (this.events.clock() - (this.world.performance.now() - captured)));
      const picture = this.#picture(source, size, whole, timestamp);
      const keyFrame = this.#wantsKey;
      this.#wantsKey = false;
      this.#encoder.encode(picture, { keyFrame });
      picture.close();
    } catch (error) {
      this.#fail(error, strategy.codec);
    }
  }

  #picture(source, size, whole, timestamp) {
    if (size.width === whole.width && size.height === whole.height) return new this.world.VideoFrame(source, { timestamp });
    if (this.canvas?.width !== size.width || this.canvas.height !== size.height) {
      this.canvas = new this.world.OffscreenCanvas(size.width, size.height);
      this.context = this.canvas.getContext('2d', { alpha: false });
    }
    this.context.drawImage(source, 0, 0, size.width, size.height);
    return new this.world.VideoFrame(this.canvas, { timestamp });
  }

  #configure({ width, height }) {
    const { codec, bitrate, rate } = this.strategy;
    const before = this.#config;
    if (before?.codec === codec && before.bitrate === bitrate && before.rate === rate && before.width === width
      && before.height === height && this.#encoder?.state === 'configured') return;
    if (this.#encoder?.state !== 'configured' || before.codec !== codec) this.#open(codec);
    if (before?.width !== width || before?.height !== height || before?.codec !== codec) this.#wantsKey = true;
    const config = codecConfig(codec, { width, height, rate });
    this.#encoder.configure({ ...config, width, height, bitrate, framerate: rate, latencyMode: 'realtime' });
    this.#config = { codec, bitrate, rate, width, height };
  }

  #open(codec) {
    this.#close();
    this.#wantsKey = true;
    const encoder = new this.world.VideoEncoder({
      output: (chunk) => {
        if (encoder === this.#encoder) this.#send(chunk, codec);
      },
      error: (error) => {
        if (encoder === this.#encoder) this.#fail(error, codec);
      },
    });
    this.#encoder = encoder;
  }

  #send(chunk, codec) {
    this.#number += 1;
    if (chunk.byteLength + headerBytes > largest) {
      this.leftOut += 1;
      this.#wantsKey = true;
      this.#hasGap = true;
      return;
    }
    if (chunk.type === 'key') this.#hasGap = false;
    if (this.#hasGap) {
      this.leftOut += 1;
      return;
    }
    this.encoded += 1;
    this.#onTheirWay?.push({ number: this.#number, bytes: chunk.byteLength, time: this.world.performance.now() });
    const { width, height } = this.#config;
    this.events.frame(encodeFrame(
      { kind: chunk.type, codec, number: this.#number, width, height, timestamp: chunk.timestamp }, chunk.byteLength,
      (place) => chunk.copyTo(place)));
  }

  #fail(error, codec) {
    // All have VP8 in common.
    if (codec !== 'vp8') {
      this.#close();
      this.#failed.add(codec);
      this.events.unable(codec);
      return;
    }
    this.turn(false);
    this.events.failed(`The picture cannot be encoded: ${error.message}`);
  }

  #close() {
    const encoder = this.#encoder;
    [this.#encoder, this.#config] = [null, null];
    if (encoder && encoder.state !== 'closed') encoder.close();
  }
}
