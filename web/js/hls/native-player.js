const kind = 'application/vnd.apple.mpegurl';
/** Milliseconds from an error to the next attempt. */
const pause = 1000;

/**
 * Whether the browser's own player is the better one: those of Apple know streams of low delay, others that play HLS stay three segments
 * behind.
 */
export const prefersNative = (audio, { vendor, hasSource }) =>
  audio.canPlayType(kind) !== '' && (vendor.startsWith('Apple') || !hasSource);

/** Plays an HLS stream by the browser's own player. */
export class NativePlayer {
  /** @param tell as for `SourcePlayer` */
  constructor(audio, folder, tell) {
    const address = new URL('index.m3u8', new URL(folder, location.href)).href;
    Object.assign(this, { audio, address, tell, codec: 'the browser’s own player' });
  }

  /** Seconds that the sound is behind the engine, as far as the clocks agree; NaN where the browser does not tell. */
  get delay() {
    const start = this.audio.getStartDate?.().getTime() ?? NaN;
    return (Date.now() - start) / 1000 - this.audio.currentTime;
  }

  async play() {
    this.audio.onerror = () => {
      this.tell({ state: 'connecting', text: this.audio.error?.message || 'The stream cannot be played.' });
      clearTimeout(this.next);
      this.next = setTimeout(() => this.#begin().catch(() => {}), pause);
    };
    await this.#begin();
  }

  async #begin() {
    this.audio.src = this.address;
    await this.audio.play();
    this.tell({ state: 'playing', text: '' });
  }

  stop() {
    clearTimeout(this.next);
    this.audio.onerror = null;
    this.audio.removeAttribute('src');
    this.audio.load();
  }
}
