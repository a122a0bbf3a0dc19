import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { RingPicture } from '../head/ring-picture.js';
import { methods } from '../../renderer/renderer.js';

/** Smallest picture of the ring in pixels: its style has not arrived yet. */
const smallestRing = 120;
const part = (id) => document.getElementById(id);

/** The methods in the order in which one would try them, with words for listeners. */
const words = {
  'ring-spectral': 'Ring, spectral: the most exact', ring: 'Ring', 'two-band-spectral': 'Two bands, spectral', 'two-band': 'Two bands',
  linear: 'Linear', nearest: 'Nearest microphone', 'two-band-fixed': 'Two bands, fixed',
};

/** Minutes and seconds. */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** The elements of the page: shows what it is given, and calls `on…` when a person uses one of them. */
export class ListenView {
  #picture = new RingPicture();
  #weights = { low: [], high: [] };
  #levels = { peaks: [], rms: [] };
  #azimuths = [];
  #isSeeking = false;
  #seconds = 0;

  constructor() {
    this.ring = part('ring');
    this.turn = part('turn');
    part('method').append(...Object.entries(words).filter(([name]) => methods.includes(name))
      .map(([value, title]) => element('option', { value }, title)));
    this.showPlaying(false);
    this.#listen();
  }

  #listen() {
    part('play').addEventListener('click', () => this.onPlay());
    part('sensors').addEventListener('click', () => this.onSensors());
    part('recenter').addEventListener('click', () => this.onRecenter());
    part('share').addEventListener('click', () => this.onShare());
    part('yaw-only').addEventListener('change', () => this.onYawOnly(part('yaw-only').checked));
    part('repeat').addEventListener('change', () => this.onRepeat(this.isRepeated));
    part('method').addEventListener('change', () => this.onMethod(this.method));
    part('volume').addEventListener('input', () => {
      this.#share(part('volume'));
      this.onVolume(this.gain);
    });
    part('recordings').addEventListener('change', () => this.onRecording(part('recordings').value));
    const position = part('position');
    position.addEventListener('input', () => {
      this.#isSeeking = true;
      this.#showTime(Number(position.value));
    });
    position.addEventListener('change', () => {
      this.#isSeeking = false;
      this.onSeek(Number(position.value));
    });
    this.#share(part('volume'));
  }

  /** The part of a slider's track that is filled. */
  #share(slider) {
    const { min, max, value } = slider;
    slider.style.setProperty('--share', (value - min) / (max - min));
  }

  /** Position of the slider in seconds. */
  get wantedSeconds() {
    return Number(part('position').value);
  }

  get isRepeated() {
    return part('repeat').checked;
  }

  get method() {
    return part('method').value;
  }

  /** The volume as a factor. */
  get gain() {
    const decibels = Number(part('volume').value);
    return decibels <= Number(part('volume').min) ? 0 : 10 ** (decibels / 20);
  }

  /** Says something in one line. */
  say(text, isWrong = false) {
    const line = part('words');
    setText(line, text);
    line.classList.toggle('is-wrong', isWrong);
  }

  /** Offers recordings to choose from, if there are several. */
  offer(list, chosen) {
    part('recordings').hidden = list.length < 2;
    part('recordings').replaceChildren(...list.map(({ path, title }) =>
      element('option', { value: path, selected: path === chosen }, title)));
  }

  /** Shows a recording. */
  show({ title, frames, rate, array }) {
    setText(part('title'), title);
    document.title = `${title} · Vestibule`;
    this.#azimuths = array.azimuths;
    this.#seconds = frames / rate;
    for (const id of ['play', 'position']) part(id).disabled = false;
    part('position').max = this.#seconds;
    this.#showTime(0);
    setText(part('facts'), `${array.azimuths.length} microphones on a sphere of ${(200 * array.radius).toFixed(1)} cm, `
      + `${rate / 1000} kHz. This browser renders the sound itself, so that turning needs no network.`);
  }

  #showTime(seconds) {
    const position = part('position');
    if (!this.#isSeeking) position.value = seconds;
    this.#share(position);
    const text = `${clock(seconds)} / ${clock(this.#seconds)}`;
    setText(part('time'), text);
    setAttribute(position, 'aria-valuetext', text);
  }

  showPlaying(isPlaying) {
    const button = part('play');
    setAttribute(button, 'aria-pressed', isPlaying);
    setAttribute(button, 'aria-label', isPlaying ? 'Pause' : 'Play');
    button.replaceChildren(icon(isPlaying ? 'pause' : 'play', 24));
  }

  showSensors(isRunning) {
    setAttribute(part('sensors'), 'aria-pressed', isRunning);
    setText(part('sensors'), isRunning ? 'Stop turning with this phone' : 'Turn with this phone');
  }

  /** Shows a report of the renderer. */
  take({ position, weights, microphones }, sound) {
    if (weights) this.#weights = weights;
    if (microphones) this.#levels = microphones;
    if (!this.#isSeeking) this.#showTime(position / sound.source.index.rate);
  }

  /** Shows how late the sound leaves the device, as far as the browser knows. */
  showDelay({ baseLatency = 0, outputLatency }) {
    const milliseconds = Math.round(1000 * (baseLatency + (outputLatency ?? 0)));
    setText(part('delay'), `The browser reports ${milliseconds} ms from the renderer to the ear; Bluetooth headphones add `
      + 'more than it knows, so that the sound turns late. Headphones with a cable are best.');
  }

  /** Draws the ring; see `Canvas`. */
  draw([context, width, height, now], heading, isHeld) {
    if (Math.min(width, height) < smallestRing) return false;
    return this.#picture.draw(context, width, height, now, {
      heading, earAzimuth: 90, azimuths: this.#azimuths, ...this.#levels,
      low: this.#weights.low, high: this.#weights.high, isHeld, isFocused: this.turn.matches(':focus-visible'),
    });
  }

  async share(link) {
    try {
      await navigator.clipboard.writeText(link);
      this.say('The link is in the clipboard. It opens this recording with this direction in front.');
    } catch {
      this.say(link);
    }
  }
}
