import { headFrom } from './device-orientation.js';
import { OrientationSource } from './orientation-source.js';

/** Weight of a new interval between two events in the rate that is shown. */
const smoothing = 0.1;

/** Orientation of the phone, with the permissions that a browser requires for it. */
export class PhoneSensor {
  /**
   * @param page the window
   * @param take called with every orientation of the head, a quaternion w x y z
   */
  constructor(page, take) {
    this.page = page;
    this.take = take;
    this.isRunning = false;
    this.isUpright = false;
    this.interval = 0;
    this.last = 0;
    this.source = new OrientationSource(page, (event) => this.#take(event));
  }

  /** Orientations a second. */
  get rate() {
    return this.interval > 0 && this.silence < 1000 ? 1000 / this.interval : 0;
  }

  /** Milliseconds since the last orientation, or since the start. */
  get silence() {
    return this.page.performance.now() - this.last;
  }

  /** Starts the sensor; returns null, or the problem in words. Call it from a click, since iOS asks for permission only then. */
  async start() {
    const problem = await this.#permission();
    if (problem) return problem;
    if (!this.isRunning) this.source.start();
    this.isRunning = true;
    this.interval = 0;
    this.last = this.page.performance.now();
    return null;
  }

  stop() {
    this.source.stop();
    this.isRunning = false;
  }

  /** Returns null, or why there is no access. */
  async #permission() {
    const { page } = this;
    if (!page.isSecureContext) {
      return `The browser does not allow motion sensors on a page without TLS, such as ${page.location.origin}. Start the engine with `
        + `--tls, then open https://${page.location.host}/trust on this phone, which explains how to trust the engine’s certificate.`;
    }
    if (!page.DeviceOrientationEvent) {
      return 'This browser does not report the phone’s orientation. Use a current browser on a phone with a gyroscope.';
    }
    if (!page.DeviceOrientationEvent.requestPermission) return null;
    try {
      const answer = await page.DeviceOrientationEvent.requestPermission();
      return answer === 'granted' ? null
        : 'Access to the motion sensors was denied. Close this tab or clear the site’s settings to be asked again.';
    } catch (error) {
      return `The browser did not ask for permission: ${error.message}. Press Start again.`;
    }
  }

  #take(event) {
    const head = headFrom(event, this.page.screen?.orientation?.angle ?? this.page.orientation ?? 0, this.isUpright);
    if (!head) return;
    const now = this.page.performance.now();
    const passed = now - this.last;
    this.interval = this.interval > 0 ? this.interval + (passed - this.interval) * smoothing : passed;
    this.last = now;
    this.take(head);
  }
}
