import { showConnection } from '../shared/connection/connection-status.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { NativePlayer, prefersNative } from './native-player.js';
import { SourcePlayer, hasMediaSource } from './source-player.js';

const part = (id) => document.getElementById(id);
/** Milliseconds between two looks at the delay. */
const interval = 500;

/** The key in an address, `#key=…`; null without one. */
const keyIn = (hash) => /^#key=(\w+)$/.exec(hash)?.[1] ?? null;

/** The listener in the query of an address, by number or name: 1 unless given. */
export const listenerIn = (query) => new URLSearchParams(query).get('listener')?.slice(0, 200) || '1';

/** Opens the page that plays a stream; start.js documents the returned object. */
export function open(world, login) {
  const page = new StreamPage(world, login);
  return { start: () => page.start(), retry: () => page.find(), diagnostics: page };
}

/** The stream of one listener: play, stop, volume and delay. */
class StreamPage {
  player = null;
  state = 'stopped';
  #folder = null;

  constructor(world, login) {
    this.world = world;
    this.login = login;
    this.audio = part('sound');
    this.listener = listenerIn(location.search);
  }

  /** Seconds that the sound is behind the engine; null before it plays. */
  get delay() {
    const delay = this.state === 'playing' ? this.player.delay : NaN;
    return Number.isFinite(delay) ? delay : null;
  }

  start() {
    setText(part('title'), /^\d+$/.test(this.listener) ? `Stream of listener ${this.listener}` : this.listener);
    part('play').addEventListener('click', () => (this.player ? this.stop() : this.play()));
    part('volume').addEventListener('input', () => this.#setVolume());
    part('copy').addEventListener('click', () => this.#copy());
    this.#setVolume();
    setInterval(() => this.#show(), interval);
    this.find();
  }

  /** Finds the addresses of the stream, or asks for a token first. */
  async find() {
    const key = keyIn(location.hash);
    if (key) return this.#open(`/hls/key/${key}`);
    const response = await this.world.fetch('/hls/address', { cache: 'no-store' }).catch(() => null);
    if (response?.status === 401) return this.login.show();
    if (!response?.ok) return this.#say(response ? (await response.text()).trim() : 'The engine does not answer. Reload the page.', true);
    const { path } = await response.json();
    return this.#open(path);
  }

  async #open(path) {
    let folder = `${path}/listener/${encodeURIComponent(this.listener)}/`;
    part('play').disabled = true;
    if (!/^\d+$/.test(this.listener)) {
      // The playlist of a name leads to that of the listener's number, beside which the sound is.
      const response = await this.world.fetch(`${folder}index.m3u8`, { cache: 'no-store' }).catch(() => null);
      if (!response?.ok) return this.#say(response ? (await response.text()).trim() : 'The engine does not answer. Reload the page.', true);
      folder = new URL('.', response.url).pathname;
    }
    this.#folder = folder;
    part('address').value = new URL(`${folder}index.m3u8`, location.href).href;
    part('play').disabled = false;
    this.#say('Ready.');
  }

  play() {
    const isNative = prefersNative(this.audio, { vendor: navigator.vendor, hasSource: hasMediaSource() });
    if (!isNative && !hasMediaSource()) return this.#say('This browser cannot play streams. Copy the address into another player.', true);
    const Player = isNative ? NativePlayer : SourcePlayer;
    this.player = new Player(this.audio, this.#folder, (news) => this.#follow(news));
    this.#follow({ state: 'connecting', text: 'The sound will start in a moment.' });
    if ('mediaSession' in navigator) {
      navigator.mediaSession.metadata = new MediaMetadata({ title: part('title').textContent, artist: 'Vestibule' });
      navigator.mediaSession.setActionHandler('stop', () => this.stop());
      navigator.mediaSession.setActionHandler('pause', () => this.stop());
    }
    return this.player.play().catch((error) => {
      this.stop();
      this.#say(error.name === 'NotAllowedError' ? 'The browser needs another tap on Play.' : error.message, true);
    });
  }

  stop() {
    this.player?.stop();
    this.player = null;
    this.#follow({ state: 'stopped', text: 'Stopped.' });
  }

  #follow({ state, text }) {
    if (state === 'refused') {
      this.stop();
      return this.#say(text, true);
    }
    this.state = state;
    this.#say(state === 'playing' ? 'Playing.' : text);
    const [link, word] = { playing: ['live', 'Live'], connecting: ['connecting', 'Connecting'], stopped: ['connecting', 'Stopped'] }[state];
    showConnection(link, word);
    setAttribute(part('play'), 'aria-pressed', state !== 'stopped');
    setText(part('play'), state === 'stopped' ? 'Play' : 'Stop');
    return this.#show();
  }

  #say(text, isWrong = false) {
    setText(part('words'), text);
    part('words').classList.toggle('is-wrong', isWrong);
  }

  #setVolume() {
    const percent = Number(part('volume').value);
    this.audio.volume = percent / 100;
    part('volume').style.setProperty('--share', percent / 100);
    setText(part('volume-text'), `${percent} %`);
    setAttribute(part('volume'), 'aria-valuetext', `${percent} percent`);
  }

  async #copy() {
    part('address').select();
    const isCopied = await navigator.clipboard?.writeText(part('address').value).then(() => true, () => false);
    this.#say(isCopied ? 'The address is copied.' : 'The address is selected; copy it with the keyboard.');
  }

  #show() {
    const { delay, player } = this;
    setText(part('delay'), delay === null ? '–' : `${delay.toFixed(1)} s`);
    const facts = player ? [
      `Format: ${player.codec || 'not chosen yet'}`,
      Number.isFinite(player.ahead)
        && `Sound ahead: ${player.ahead.toFixed(1)} s${this.audio.playbackRate > 1 ? ', played a little faster to catch up' : ''}`,
      player.parts > 0 && `Parts received: ${player.parts}; stops: ${player.stops}; jumps to the live edge: ${player.skips}`,
    ].filter(Boolean) : ['Nothing is played.'];
    part('facts').replaceChildren(...facts.map((fact) => element('li', {}, fact)));
  }
}
