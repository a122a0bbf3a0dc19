/** Keeps the screen on while it is wanted, whether or not there are motion sensors. */
export class ScreenLock {
  #page;
  #isWanted = false;
  #lock = null;

  /** @param page the window */
  constructor(page) {
    this.#page = page;
    this.words = 'The screen stays on while this page plays, if the browser supports it.';
    page.document.addEventListener('visibilitychange', () => {
      // A browser takes the lock away from a page that is not seen.
      if (this.#isWanted && page.document.visibilityState === 'visible') this.#request();
    });
  }

  /** Asks for the lock, or gives it back. Call it from a click, since some browsers allow it only then. */
  want(isWanted) {
    if (isWanted === this.#isWanted) return undefined;
    this.#isWanted = isWanted;
    if (isWanted) return this.#request();
    this.#lock?.release();
    this.#lock = null;
    return undefined;
  }

  async #request() {
    const { navigator } = this.#page;
    if (!navigator.wakeLock) {
      this.words = 'This browser cannot keep the screen on. Set a longer screen timeout in the settings of the phone.';
      return;
    }
    try {
      const lock = await navigator.wakeLock.request('screen');
      if (!this.#isWanted) {
        lock.release();
        return;
      }
      this.#lock = lock;
      this.words = 'The screen stays on while this page plays.';
    } catch {
      this.words = 'The screen may turn off, which stops the motion sensors. Battery saving may be the cause.';
    }
  }
}
