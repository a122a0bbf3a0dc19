import { element, setText } from '../shared/drawing/element.js';

/** Seconds by which the arrow keys move the position. */
const step = 5;

/**
 * The sound of a take in the browser: a button that plays and pauses it, and its position in the outline, where a click seeks.
 *
 * Only one take plays at a time.
 */
export class TakePlayer {
  static #current = null;
  #audio = null;

  /**
   * @param source address of a sound file
   * @param title name of the take
   * @param picture its outline; null for none
   */
  constructor(source, title, picture) {
    [this.source, this.title, this.picture] = [source, title, picture];
    this.button = element('button', {
      type: 'button', class: 'plain take-listen', onclick: () => this.#toggle(), onkeydown: (event) => this.#key(event),
    });
    this.problem = element('p', { class: 'take-loss', role: 'status', hidden: true });
    if (picture) {
      picture.played = () => ({ place: this.#place, isMoving: this.#isPlaying });
      picture.element.classList.add('is-played');
      picture.element.addEventListener('click', (event) => this.#click(event));
    }
    this.#show();
  }

  end() {
    if (TakePlayer.#current === this) TakePlayer.#current = null;
    this.#audio?.pause();
    this.#audio?.removeAttribute('src');
    this.#audio = null;
  }

  get #isPlaying() {
    return this.#audio !== null && !this.#audio.paused;
  }

  /** From 0 to 1; null before the first play. */
  get #place() {
    return this.#audio?.duration > 0 ? this.#audio.currentTime / this.#audio.duration : null;
  }

  #open() {
    if (this.#audio) return this.#audio;
    this.#audio = new Audio(this.source);
    for (const name of ['play', 'pause', 'ended', 'seeked', 'loadedmetadata']) this.#audio.addEventListener(name, () => this.#show());
    this.#audio.addEventListener('error', () => this.#fail());
    return this.#audio;
  }

  #toggle() {
    if (this.#isPlaying) this.#audio.pause();
    else this.#play();
  }

  #play() {
    const audio = this.#open();
    if (TakePlayer.#current !== this) TakePlayer.#current?.pause();
    TakePlayer.#current = this;
    this.problem.hidden = true;
    // The error event states the reason.
    audio.play().catch(() => this.#show());
  }

  pause() {
    this.#audio?.pause();
  }

  #fail() {
    this.#audio = null;
    setText(this.problem, 'The take cannot be played here: its file is gone, or of a kind that this browser does not play. Download it.');
    this.problem.hidden = false;
    this.#show();
  }

  /** Plays from a place in the outline on. */
  #click({ offsetX }) {
    // There is no button for the role `view` either.
    if (this.button.offsetParent === null) return;
    const place = Math.min(1, Math.max(0, offsetX / this.picture.element.clientWidth));
    const audio = this.#open();
    audio.currentTime = place * (audio.duration || this.picture.take.seconds);
    this.#play();
  }

  #key(event) {
    const way = { ArrowLeft: -step, ArrowRight: step }[event.key];
    if (!way || !(this.#audio?.duration > 0)) return;
    event.preventDefault();
    this.#audio.currentTime = Math.min(this.#audio.duration, Math.max(0, this.#audio.currentTime + way));
  }

  #show() {
    const word = this.#isPlaying ? 'Pause' : 'Listen';
    setText(this.button, word);
    this.button.setAttribute('aria-label', this.#isPlaying ? `Pause ${this.title}` : `Listen to ${this.title}`);
    this.picture?.canvas.request();
  }
}
