import { latestParts, mediaPlaylist, partsAfter, variants } from './playlist.js';
import { PlayingPace } from './playing-pace.js';
import { SoundDates } from './sound-dates.js';

/** Milliseconds between two attempts after an error. */
const pause = 1000;
/** Seconds of sound that was played and stays in the buffer. */
const kept = 20;
/** Codecs in the order in which they are preferred. */
const preferred = [/^opus$/i, /^mp4a/];

const typeOf = (codec) => `audio/mp4; codecs="${codec.replace('Opus', 'opus')}"`;

/** Whether this browser can play by Media Source at all. */
export const hasMediaSource = () => typeof MediaSource !== 'undefined';

/** Plays an HLS stream part by part through Media Source, close to its live edge. */
export class SourcePlayer {
  #ended = new AbortController();
  #map = null;
  #buffer = null;
  #last = null;
  #dates = new SoundDates();
  #pace = null;

  /**
   * @param audio the element that plays
   * @param folder address of the listener's stream, with a slash at its end
   * @param tell called with `{ state, text }`: connecting, playing, or refused, where the answer of the engine has the reason
   */
  constructor(audio, folder, tell) {
    Object.assign(this, { audio, folder: new URL(folder, location.href), tell, codec: '', parts: 0, stops: 0, skips: 0 });
  }

  /** Seconds that the sound is behind the engine; NaN before it plays. */
  get delay() {
    return this.#dates.delay(this.audio.currentTime, Date.now()) / 1000;
  }

  /** Seconds of sound that wait. */
  get ahead() {
    const { buffered } = this.audio;
    return buffered.length ? buffered.end(buffered.length - 1) - this.audio.currentTime : 0;
  }

  /** Plays until `stop`; errors are tried again. */
  async play() {
    const stalled = () => {
      if (this.#pace && this.audio.currentTime > 0.5) {
        this.stops += 1;
        this.#pace.stopped(performance.now());
      }
    };
    this.audio.addEventListener('waiting', stalled, { signal: this.#ended.signal });
    while (!this.#ended.signal.aborted) {
      try {
        await this.#run();
      } catch (error) {
        if (this.#ended.signal.aborted) break;
        // The page asks for a tap.
        if (error.name === 'NotAllowedError') throw error;
        const isRefused = error.status === 401 || error.status === 403;
        this.tell({ state: isRefused ? 'refused' : 'connecting', text: error.message });
        if (isRefused) break;
        await new Promise((done) => setTimeout(done, pause));
      }
    }
  }

  /** Ends; the element is silent afterwards. */
  stop() {
    this.#ended.abort();
    this.audio.removeAttribute('src');
    this.audio.load();
  }

  async #run() {
    const choice = variants(await this.#text('index.m3u8'));
    const playable = choice.filter(({ codec }) => MediaSource.isTypeSupported(typeOf(codec)));
    const chosen = preferred.map((kind) => playable.find(({ codec }) => kind.test(codec))).find(Boolean);
    if (!chosen) throw Object.assign(new Error('This browser decodes neither Opus nor AAC in MP4.'), { status: 403 });
    this.codec = chosen.codec;
    let playlist = mediaPlaylist(await this.#text(chosen.uri));
    this.#pace = new PlayingPace(playlist.holdBack);
    await this.#open(typeOf(chosen.codec));
    await this.#take(playlist, latestParts(playlist));
    await this.audio.play();
    this.tell({ state: 'playing', text: '' });
    while (!this.#ended.signal.aborted) {
      const { hint } = playlist;
      // Both answers come when the part is there.
      const [bytes, text] = await Promise.all([
        this.#bytes(hint.uri), this.#text(`${chosen.uri}?_HLS_msn=${hint.segment}&_HLS_part=${hint.index}`),
      ]);
      playlist = mediaPlaylist(text);
      const parts = partsAfter(playlist.parts, this.#last);
      // A cache may keep an old playlist.
      if (parts.length === 0) await new Promise((done) => setTimeout(done, pause / 4));
      await this.#take(playlist, parts, { [hint.uri]: bytes });
      this.#follow();
    }
  }

  async #open(type) {
    const source = new MediaSource();
    const address = URL.createObjectURL(source);
    this.audio.src = address;
    await new Promise((done) => source.addEventListener('sourceopen', done, { once: true }));
    URL.revokeObjectURL(address);
    this.#buffer = source.addSourceBuffer(type);
    // Parts follow each other without gaps, also those of the stream's next run, whose times restart.
    this.#buffer.mode = 'sequence';
    [this.#map, this.#last] = [null, null];
  }

  /** Appends parts; `known` has the bytes of some by their address. */
  async #take(playlist, parts, known = {}) {
    if (playlist.map !== this.#map) {
      await this.#append(await this.#bytes(playlist.map));
      this.#map = playlist.map;
    }
    for (const part of parts) {
      const bytes = known[part.uri] ?? await this.#bytes(part.uri);
      const now = Date.now();
      const begin = await this.#append(bytes);
      this.#dates.add({ ...part, begin }, now);
      this.#last = part;
      this.parts += 1;
    }
  }

  /** Appends bytes, and returns the end of the buffer before. */
  async #append(bytes) {
    const buffer = this.#buffer;
    const { buffered } = buffer;
    const end = buffered.length ? buffered.end(buffered.length - 1) : 0;
    const done = (action) => new Promise((resolve, reject) => {
      buffer.onupdateend = resolve;
      buffer.onerror = () => reject(new Error('The browser cannot decode the sound.'));
      action();
    });
    await done(() => buffer.appendBuffer(bytes));
    if (this.audio.currentTime > 2 * kept) await done(() => buffer.remove(0, this.audio.currentTime - kept));
    return end;
  }

  #follow() {
    const { audio } = this;
    const { rate, skip } = this.#pace.follow(this.ahead, audio.playbackRate > 1, performance.now());
    if (skip > 0) {
      audio.currentTime += skip;
      this.skips += 1;
    }
    if (audio.playbackRate !== rate) audio.playbackRate = rate;
  }

  async #fetch(path) {
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(10_000)]);
    const response = await fetch(new URL(path, this.folder), { signal }).catch((error) => {
      throw this.#ended.signal.aborted ? error : new Error('The engine does not answer.');
    });
    if (!response.ok) throw Object.assign(new Error((await response.text()).trim()), { status: response.status });
    return response;
  }

  #text(path) { return this.#fetch(path).then((response) => response.text()); }

  #bytes(path) { return this.#fetch(path).then((response) => response.arrayBuffer()); }
}
