import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { isMeasured, outputDelay } from '../shared/sound/output-delay.js';
import { RingPicture } from '../head/ring-picture.js';
import { methodTitle, offered } from './offered-methods.js';

/** Smallest picture of the ring in pixels: its style has not arrived yet. */
const smallestRing = 120;
const part = (id) => document.getElementById(id);

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
  #words = { go: 'Play', end: 'Pause' };

  constructor() {
    this.ring = part('ring');
    this.turn = part('turn');
    this.main = document.querySelector('main');
    this.showPlaying(false);
    this.#listen();
  }

  #listen() {
    part('play').addEventListener('click', () => this.onPlay());
    part('sensors').addEventListener('click', () => this.onSensors());
    part('recenter').addEventListener('click', () => this.onRecenter());
    part('share').addEventListener('click', () => this.onShare());
    part('calibrate').addEventListener('click', () => this.onCalibrate());
    part('yaw-only').addEventListener('change', () => this.onYawOnly(part('yaw-only').checked));
    part('repeat').addEventListener('change', () => this.onRepeat(part('repeat').checked));
    part('method').addEventListener('change', () => this.onMethod(part('method').value));
    for (const [id, action] of [['volume', () => this.onVolume(this.gain)], ['drift', () => this.onDrift(this.drift)]]) {
      part(id).addEventListener('input', () => {
        this.#share(part(id));
        action();
      });
    }
    for (const input of document.querySelectorAll('[name="hold"]')) input.addEventListener('change', () => this.onHold(this.isUpright));
    part('source').addEventListener('change', () => this.onSource(part('source').value));
    const position = part('position');
    position.addEventListener('input', () => {
      this.#isSeeking = true;
      this.#showTime(Number(position.value));
    });
    position.addEventListener('change', () => {
      this.#isSeeking = false;
      this.onSeek(Number(position.value));
    });
    for (const id of ['volume', 'drift']) this.#share(part(id));
  }

  /** The part of a slider's track that is filled. */
  #share(slider) {
    const { min, max, value } = slider;
    slider.style.setProperty('--share', (value - min) / (max - min));
    if (slider.id === 'drift') setText(part('drift-value'), value > 0 ? `${value}°/min` : 'off');
  }

  /** The volume in decibels; -60 for silence. */
  get gain() {
    const volume = part('volume');
    return volume.value === volume.min ? -60 : Number(volume.value);
  }

  get method() {
    return part('method').value || undefined;
  }

  get isRepeated() {
    return part('repeat').checked;
  }

  /** Drift correction in degrees per minute. */
  get drift() {
    return Number(part('drift').value);
  }

  get isUpright() {
    return document.querySelector('[name="hold"]:checked').value === 'upright';
  }

  set isUpright(isUpright) {
    document.querySelector(`[name="hold"][value="${isUpright ? 'upright' : 'flat'}"]`).checked = true;
  }

  /** Says something in one line. */
  say(text, isWrong = false) {
    this.#tell(part('words'), text, isWrong);
  }

  /** Says how the motion sensors are doing. */
  saySensors(text, isWrong = false) {
    this.#tell(part('sensor-words'), text, isWrong);
    part('sensor-words').hidden = !text;
  }

  /** Says how the measurement of the output's delay is doing. */
  sayDelay(text, isWrong = false) {
    this.#tell(part('delay-words'), text, isWrong);
    part('delay-words').hidden = !text;
  }

  #tell(line, text, isWrong) {
    setText(line, text);
    line.classList.toggle('is-wrong', isWrong);
  }

  /**
   * Offers sources to choose from, if there are several.
   *
   * @param groups [title, [{ key, title }]]
   */
  offer(groups, chosen) {
    const filled = groups.filter(([, sources]) => sources.length > 0);
    part('source-line').hidden = filled.flatMap(([, sources]) => sources).length < 2;
    part('source').replaceChildren(...filled.map(([title, sources]) => element('optgroup', { label: title },
      sources.map((source) => element('option', { value: source.key, selected: source.key === chosen }, source.title)))));
  }

  /** Says that the page is not secure, and where that is changed. */
  warn() {
    part('trust').href = '/trust';
    part('insecure').hidden = false;
  }

  showConnection() {
    part('connection').hidden = false;
  }

  /** Nothing can be started until `show` says what is there: a tap would do nothing. */
  wait() {
    part('play').disabled = true;
  }

  /** Shows what can be set for a player; for none, that there is nothing to play. */
  show(player) {
    part('play').disabled = !player;
    const source = player?.source;
    for (const id of ['transport', 'repeat-line', 'offline']) part(id).hidden = !source;
    for (const id of ['yaw-only-line', 'drift-line', 'drift-words', 'sensors', 'calibrate']) part(id).hidden = player?.mode === 'tracker';
    part('link').hidden = !player;
    setAttribute(this.turn, 'aria-disabled', player?.mode === 'tracker');
    this.#weights = { low: [], high: [] };
    this.#levels = { peaks: [], rms: [] };
    setText(part('facts'), '');
    setText(part('mode'), player?.modeText ?? '');
    if (!player) return;
    this.#words = player.words;
    this.showPlaying(false);
    if (player.methods) this.#offerMethods(player.methods);
    if (!source) return;
    const { frames, rate, array } = source.index;
    this.#seconds = frames / rate;
    part('position').max = this.#seconds;
    this.#showTime(0);
    setText(part('facts'),
      `${array.azimuths.length} microphones on a sphere of ${(200 * array.radius).toFixed(1)} cm, ${rate / 1000} kHz.`);
  }

  /** Says why the main button asks for more than sound. */
  explain(text) {
    setText(part('why'), text);
    part('why').hidden = !text;
  }

  #offerMethods(names) {
    const all = offered(names);
    if (all.join() === [...part('method').options].map(({ value }) => value).join()) return;
    part('method').replaceChildren(...all.map((value) => element('option', { value }, methodTitle(value))));
  }

  /** Shows what a player has at the moment. */
  refresh(player) {
    setText(part('title'), player.title);
    document.title = `${player.title} · Vestibule`;
    setText(part('mode'), player.modeText);
    this.#azimuths = player.azimuths;
    const { line, facts } = player.statistics;
    setText(part('link-line'), line);
    if (part('link').open) part('link-facts').replaceChildren(...facts.map((fact) => element('li', {}, fact)));
    setText(part('delay'), player.context ? delayText(player.context) : '');
    if ('listener' in player) this.#showListener(player.listener);
  }

  /** Shows what the engine has; what a person is setting stays. */
  #showListener(listener) {
    for (const id of ['volume-line', 'method-line']) part(id).hidden = !listener;
    if (!listener) return;
    this.#offerMethods(listener.methods);
    this.#showValue('method', listener.method);
    this.showVolume(listener.gain);
  }

  /** Shows a volume in decibels that was set elsewhere. */
  showVolume(gain) {
    this.#showValue('volume', String(Math.round(Math.max(-40, Math.min(6, gain)))));
    this.#share(part('volume'));
  }

  #showValue(id, value) {
    if (document.activeElement !== part(id) && part(id).value !== value) part(id).value = value;
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
    part('why').classList.toggle('is-over', isPlaying);
    setAttribute(button, 'aria-pressed', isPlaying);
    const words = isPlaying ? this.#words.end : this.#words.go;
    if (button.textContent === words && button.firstElementChild) return;
    const shape = isPlaying ? (this.#words.end === 'Pause' ? 'pause' : 'stop') : (this.#words.go === 'Join' ? 'headphones' : 'play');
    button.replaceChildren(icon(shape, 24), element('span', {}, words));
  }

  showSensors(isRunning, wakeWords) {
    setAttribute(part('sensors'), 'aria-pressed', isRunning);
    setText(part('wake'), wakeWords);
  }

  /** Shows a report of the renderer. */
  take({ position, weights, microphones }, rate) {
    this.takePicture({ weights, microphones });
    if (!this.#isSeeking) this.#showTime(position / rate);
  }

  /** Takes what the ring shows: weights and levels of the microphones; what is missing stays. */
  takePicture({ weights = this.#weights, microphones = this.#levels }) {
    this.#weights = weights;
    this.#levels = microphones;
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

/** Words for the time after which the sound leaves the device, as far as the browser knows, and as the microphone has measured it. */
function delayText({ baseLatency = 0, outputLatency }) {
  const milliseconds = Math.round(1000 * (baseLatency + (outputLatency ?? 0)));
  if (isMeasured()) {
    return `The browser reports an output delay of ${milliseconds} ms; the microphone has measured `
      + `${Math.round(1000 * outputDelay())} ms more in this browser.`;
  }
  return `The browser reports an output delay of ${milliseconds} ms; Bluetooth headphones add more than it reports, so that the sound `
    + 'reacts late to head movements. Wired headphones are best.';
}
