import { element, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';

/** Milliseconds until sound that has ended by itself is started again: at first, and at most. Each failure doubles the pause. */
const firstPause = 2000;
const longestPause = 60_000;

/**
 * A page that only plays the sound of a listener, after one tap, for installations: `/#kiosk&listener=1`.
 *
 * Keeps the screen on, shows whether the engine and the listener are there, and starts the sound again whenever it ends by itself. The
 * sound connects again by itself when the engine was restarted.
 */
export class Kiosk {
  #lock = null;
  #isLive = false;
  /** Name of the listener that the engine does not have; null when it has it. */
  #missing = null;
  /** The reason why the sound has ended, and what happens next; empty while it plays. */
  #problem = '';
  #pause = 0;
  #startedAt = 0;
  #timer = undefined;

  /**
   * @param listen what plays
   * @param body element that everything else is hidden in
   */
  constructor(listen, body = document.body) {
    this.listen = listen;
    this.words = element('p', { class: 'kiosk-state', role: 'status' });
    this.title = element('p', { class: 'kiosk-title' });
    this.button = element('button', { type: 'button', class: 'kiosk-start', onclick: () => this.#tap() }, icon('headphones', 64),
      element('span', {}, 'Tap to listen'));
    body.classList.add('is-kiosk');
    body.append(element('section', { class: 'kiosk', 'aria-label': 'Listen' }, this.title, this.button, this.words));
    document.addEventListener('visibilitychange', () => this.#keepScreenOn());
  }

  /** Shows a state of the connection to the engine. */
  show(state) {
    this.#isLive = state === 'live';
    this.#tell();
  }

  /**
   * Shows whose sound it is.
   *
   * @param missing name of the wanted listener when the engine does not have it; null otherwise
   */
  name(title, missing) {
    setText(this.title, title);
    this.#missing = missing;
    this.#tell();
  }

  /** Starts the sound again after a pause, because it has ended by itself. A tap starts it at once. */
  ended(reason) {
    const hasPlayed = performance.now() - this.#startedAt > longestPause;
    this.#pause = this.#pause === 0 || hasPlayed ? firstPause : Math.min(2 * this.#pause, longestPause);
    this.#problem = `${reason} It starts again in ${Math.round(this.#pause / 1000)} s.`;
    this.button.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), this.#pause);
    this.#tell();
  }

  #tell() {
    setText(this.words, !this.#isLive ? 'Waiting for the engine'
      : this.#missing === null ? this.#problem
        : `The engine has no listener ${this.#missing}. Its sound is played as soon as it exists.`);
  }

  #tap() {
    this.#pause = 0;
    this.#start();
  }

  #start() {
    clearTimeout(this.#timer);
    this.#problem = '';
    this.#startedAt = performance.now();
    this.button.hidden = true;
    this.#tell();
    if (!this.listen.isOn) this.listen.toggle();
    this.#keepScreenOn();
  }

  /** The browser releases the lock whenever the page is hidden. */
  async #keepScreenOn() {
    if (document.hidden || !this.listen.isOn) return;
    try {
      this.#lock = await navigator.wakeLock?.request('screen');
    } catch {
      // The browser refuses it, for example when the battery is low; the sound continues.
      this.#lock = null;
    }
  }
}
