const kind = 'application/vnd.apple.mpegurl';
/** Milliseconds from an error to the next attempt, and between two looks at the playing position. */
const pause = 1000;
/** Milliseconds without progress after which the stream is begun again. */
const patience = 6000;

/**
 * Whether the browser's own player is the better one: those of Apple know streams of low delay, others that play HLS stay three segments
 * behind.
 */
export const prefersNative = (audio, { vendor, hasSource }) =>
  audio.canPlayType(kind) !== '' && (vendor.startsWith('Apple') || !hasSource);

/** Plays an HLS stream by the browser's own player. */
export class NativePlayer {
  /** @param tell as for `SourcePlayer` */
  constructor(audio, folder, tell, world = globalThis) {
    const address = new URL('index.m3u8', new URL(folder, world.location.href)).href;
    Object.assign(this, { audio, address, tell, world, codec: 'the browser’s own player', isStopped: false });
  }

  /** Seconds that the sound is behind the engine, as far as the clocks agree; NaN where the browser does not report it. */
  get delay() {
    const start = this.audio.getStartDate?.().getTime() ?? NaN;
    return (Date.now() - start) / 1000 - this.audio.currentTime;
  }

  async play() {
    this.audio.onerror = () => this.#again(this.audio.error?.message || 'The stream cannot be played.');
    this.audio.onended = () => this.#again('The stream has ended.');
    await this.#begin();
    this.watch = this.world.setInterval(() => this.#look(), pause);
  }

  async #begin() {
    this.audio.src = this.address;
    await this.audio.play();
    this.#note();
    this.tell({ state: 'playing', text: '' });
  }

  /** Starts again after a moment, and again as long as that fails. */
  #again(text) {
    if (this.isStopped) return;
    this.tell({ state: 'connecting', text });
    this.#note();
    this.world.clearTimeout(this.next);
    this.next = this.world.setTimeout(() => this.#begin().catch(({ message }) => this.#again(message)), pause);
  }

  #note() {
    this.place = this.audio.currentTime;
    this.moved = this.world.performance.now();
  }

  /** A player may wait without an error for a stream that has stopped. */
  #look() {
    if (this.audio.paused || this.audio.currentTime !== this.place) this.#note();
    else if (this.world.performance.now() - this.moved > patience) this.#again('The stream has stalled.');
  }

  stop() {
    this.isStopped = true;
    this.world.clearInterval(this.watch);
    this.world.clearTimeout(this.next);
    this.audio.onerror = null;
    this.audio.onended = null;
    this.audio.removeAttribute('src');
    this.audio.load();
  }
}
