/** Milliseconds after the last pointer has been lifted in which values that were held back are still part of its gesture. */
const rest = 60;

/**
 * Reports the beginning and the end of every drag that changes something, so that it is one step of undo however long the hand
 * rests meanwhile.
 *
 * A click changes its value after the pointer was lifted, and is not a gesture.
 */
export class Gesture {
  #pointers = new Set();
  #isOpen = false;
  #timer = null;

  /**
   * @param send sends true for the begin and false for the end
   * @param world window, or a stand-in: its events, timers
   */
  constructor(send, world = window) {
    this.send = send;
    this.world = world;
    // In the first phase, since controls keep some events from going further.
    const listen = (kind, action) => world.addEventListener(kind, action, true);
    listen('pointerdown', (event) => {
      this.end();
      this.#pointers.add(event.pointerId);
    });
    for (const kind of ['pointerup', 'pointercancel']) listen(kind, (event) => this.#lift(event.pointerId));
    // A pointer that is lifted in another window is not reported.
    listen('blur', (event) => event.target === world && this.#lift(...this.#pointers));
  }

  /** Has to be called before every value that is sent. */
  begin() {
    if (this.#isOpen || this.#pointers.size === 0) return;
    this.#isOpen = true;
    this.send(true);
  }

  /** Ends the gesture now. */
  end() {
    this.world.clearTimeout(this.#timer);
    if (!this.#isOpen || this.#pointers.size > 0) return;
    this.#isOpen = false;
    this.send(false);
  }

  /** Forgets the gesture with the connection, whose end has ended it. */
  forget() {
    this.#isOpen = false;
  }

  #lift(...pointers) {
    for (const pointer of pointers) this.#pointers.delete(pointer);
    if (this.#pointers.size > 0 || !this.#isOpen) return;
    this.world.clearTimeout(this.#timer);
    this.#timer = this.world.setTimeout(() => this.end(), rest);
  }
}
