import { headFrom } from './device-orientation.js';

/** How much a new interval between two events counts in the rate that is shown. */
const smoothing = 0.1;

/** The phone's orientation, with everything that a browser wants before it gives it. */
export class PhoneSensor {
  /**
   * @param page the window
   * @param take called with every orientation of the head that wears the phone: w, x, y, z
   */
  constructor(page, take) {
    this.page = page;
    this.take = take;
    this.isRunning = false;
    this.isUpright = false;
    this.interval = 0;
    this.last = 0;
    this.lock = null;
    this.wakeWords = 'The screen stays on while this runs, where the browser can do that.';
    this.onOrientation = (event) => this.#hear(event);
    page.document.addEventListener('visibilitychange', () => {
      if (this.isRunning && page.document.visibilityState === 'visible') this.#stayAwake();
    });
  }

  /** Orientations a second. */
  get rate() {
    return this.interval > 0 && this.silence < 1000 ? 1000 / this.interval : 0;
  }

  /** Milliseconds since the last orientation, or since the start. */
  get silence() {
    return this.page.performance.now() - this.last;
  }

  /** Must be called by a press: iOS asks its question only then. Returns null, or in words why there is nothing. */
  async start() {
    const problem = await this.#permission();
    if (problem) return problem;
    this.page.addEventListener('deviceorientation', this.onOrientation);
    this.isRunning = true;
    this.interval = 0;
    this.last = this.page.performance.now();
    this.#stayAwake();
    return null;
  }

  stop() {
    this.page.removeEventListener('deviceorientation', this.onOrientation);
    this.isRunning = false;
    this.lock?.release();
    this.lock = null;
  }

  async #permission() {
    const { page } = this;
    if (!page.isSecureContext) {
      return `Browsers give orientation to pages that come over https or from this device itself only, and this one came from ${
        page.location.origin}. In Chrome, chrome://flags/#unsafely-treat-insecure-origin-as-secure lets you name that address.`;
    }
    if (!page.DeviceOrientationEvent) return 'This browser gives no orientation.';
    if (!page.DeviceOrientationEvent.requestPermission) return null;
    try {
      const answer = await page.DeviceOrientationEvent.requestPermission();
      return answer === 'granted' ? null
        : 'The orientation was not allowed. To be asked again, close this tab or clear the site’s settings.';
    } catch (error) {
      return `The browser did not ask: ${error.message}.`;
    }
  }

  async #stayAwake() {
    const { navigator } = this.page;
    if (!navigator.wakeLock) {
      this.wakeWords = 'This browser cannot keep the screen on: lengthen the time after which it goes dark.';
      return;
    }
    try {
      this.lock = await navigator.wakeLock.request('screen');
      this.wakeWords = 'The screen stays on while this runs.';
    } catch {
      this.wakeWords = 'The screen may go dark, and the phone then sends nothing: is the battery low?';
    }
  }

  #hear(event) {
    const head = headFrom(event, this.page.screen?.orientation?.angle ?? this.page.orientation ?? 0, this.isUpright);
    if (!head) return;
    const now = this.page.performance.now();
    const passed = now - this.last;
    this.interval = this.interval > 0 ? this.interval + (passed - this.interval) * smoothing : passed;
    this.last = now;
    this.take(head);
  }
}
