/** Readings a second that are asked for; browsers give what they allow. */
const frequency = 120;
/** Milliseconds after which a sensor without a reading counts as none. */
const patience = 700;

/**
 * Orientations of the phone, from the sensor that knows nothing of magnets where there is one, else from `deviceorientation`. A compass
 * is of no use here: it turns the scene near loudspeakers and steel.
 */
export class OrientationSource {
  #page;
  #turn;
  #sensor = null;
  #timer = null;
  #onOrientation;

  /**
   * @param page the window
   * @param turn called with `{ quaternion }`, x y z w, or with `{ alpha, beta, gamma }`; each turns the phone's axes into the world's
   */
  constructor(page, turn) {
    this.#page = page;
    this.#turn = turn;
    this.#onOrientation = (event) => turn(event);
  }

  /** Whether the sensor is used. */
  get isSensor() {
    return this.#sensor !== null;
  }

  start() {
    const { RelativeOrientationSensor } = this.#page;
    if (!RelativeOrientationSensor) {
      this.#listen();
      return;
    }
    try {
      const sensor = new RelativeOrientationSensor({ frequency, referenceFrame: 'device' });
      this.#sensor = sensor;
      sensor.addEventListener('reading', () => {
        this.#page.clearTimeout(this.#timer);
        if (this.#sensor === sensor) this.#turn({ quaternion: sensor.quaternion });
      });
      // No such hardware, or no permission for it.
      sensor.addEventListener('error', () => this.#giveUp(sensor));
      sensor.start();
      this.#timer = this.#page.setTimeout(() => this.#giveUp(sensor), patience);
    } catch {
      this.#giveUp(this.#sensor);
    }
  }

  #giveUp(sensor) {
    if (sensor !== this.#sensor) return;
    this.stop();
    this.#listen();
  }

  #listen() {
    this.#page.addEventListener('deviceorientation', this.#onOrientation);
  }

  stop() {
    this.#page.clearTimeout(this.#timer);
    this.#sensor?.stop();
    this.#sensor = null;
    this.#page.removeEventListener('deviceorientation', this.#onOrientation);
  }
}
