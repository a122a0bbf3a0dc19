import { element, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';

/**
 * A page that only plays the sound of a listener, after one tap, for installations: `/#kiosk&listener=1`.
 *
 * Keeps the screen on, and shows whether the engine is there. The sound itself connects again whenever it has to.
 */
export class Kiosk {
  #lock = null;

  /**
   * @param listen what plays
   * @param body element that everything else is hidden in
   */
  constructor(listen, body = document.body) {
    this.listen = listen;
    this.words = element('p', { class: 'kiosk-state', role: 'status' });
    this.title = element('p', { class: 'kiosk-title' });
    this.button = element('button', { type: 'button', class: 'kiosk-start', onclick: () => this.#start() }, icon('headphones', 64),
      element('span', {}, 'Tap to listen'));
    body.classList.add('is-kiosk');
    body.append(element('section', { class: 'kiosk', 'aria-label': 'Listen' }, this.title, this.button, this.words));
    document.addEventListener('visibilitychange', () => this.#keepScreenOn());
  }

  /** Shows a state of the connection to the engine. */
  show(state) {
    setText(this.words, state === 'live' ? '' : 'Waiting for the engine');
  }

  /** Shows whose sound it is. */
  name(title) {
    setText(this.title, title);
  }

  /** Asks for a tap again, because the sound has ended by itself. */
  ended() {
    this.button.hidden = false;
  }

  #start() {
    if (!this.listen.isOn) this.listen.toggle();
    this.button.hidden = true;
    this.#keepScreenOn();
  }

  /** The browser releases the lock whenever the page is hidden. */
  async #keepScreenOn() {
    if (document.hidden || !this.listen.isOn) return;
    try {
      this.#lock = await navigator.wakeLock?.request('screen');
    } catch {
      // The browser refuses it, for example when the battery is low; the sound goes on.
      this.#lock = null;
    }
  }
}
