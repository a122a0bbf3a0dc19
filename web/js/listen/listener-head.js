import { DriftCorrection } from './drift-correction.js';

/** Orientation of the listener's head, from motion sensors and by hand. Quaternions w x y z; axes front, left, up; angles in degrees. */

const half = (degrees) => (degrees * Math.PI) / 360;

/** Rotation about the vertical, positive to the left. */
export const turnBy = (yaw) => [Math.cos(half(yaw)), 0, 0, Math.sin(half(yaw))];

/** Direction of the nose on the horizon. */
export const yawOf = ([w, x, y, z]) => (Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * 180) / Math.PI;

/** The head turned further to the left. */
function turned([w, x, y, z], yaw) {
  const [a, , , d] = turnBy(yaw);
  return [a * w - d * z, a * x - d * y, a * y + d * x, a * z + d * w];
}

/** The head nodding upwards, about its own left. */
function raised([w, x, y, z], pitch) {
  const [c, s] = [Math.cos(half(pitch)), Math.sin(half(pitch))];
  return [w * c + y * s, x * c + z * s, y * c - w * s, z * c - x * s];
}

/** Pitch in degrees up to which a hand tilts the head. */
const steepest = 85;

/** Joins what the sensors say and what a hand sets: the hand turns the scene on top of the sensors. */
export class ListenerHead {
  #sensed = [1, 0, 0, 0];
  #offset = 0;
  /** Pitch set by hand, degrees, positive upwards. */
  #pitch = 0;
  /** Yaw that the next orientation of the sensors stands for; null when they continue. */
  #front = null;

  /** @param take called with every new head */
  constructor(take) {
    this.take = take;
    /** Whether nodding and tilting are ignored. */
    this.isYawOnly = false;
    /** Time at which the head last turned, in seconds of `performance.now()`. */
    this.turnedAt = 0;
    this.drift = new DriftCorrection();
  }

  #turn(now = performance.now()) {
    this.turnedAt = now / 1000;
    this.take(this.head);
  }

  /** The head as it is rendered. */
  get head() {
    return this.isYawOnly ? turnBy(yawOf(this.whole)) : this.whole;
  }

  /** The head with all that it nods and tilts. */
  get whole() {
    return raised(turned(this.#sensed, this.#offset), this.#pitch);
  }

  get yaw() {
    return yawOf(this.head);
  }

  /**
   * The next orientation of the sensors stands for the current direction: they begin, or the phone is held in another way.
   *
   * @param isLevel whether the hand's tilt ends, because the sensors know where up is
   */
  beginSensors({ isLevel = false } = {}) {
    if (isLevel) this.#pitch = 0;
    this.#front = this.yaw;
    this.drift.restart();
  }

  /**
   * Takes an orientation of the sensors.
   *
   * @param now milliseconds
   */
  sense(head, now = performance.now()) {
    this.#sensed = head;
    if (this.#front !== null) {
      this.#offset = this.#front - yawOf(head);
      this.#front = null;
    }
    this.#offset -= this.drift.correct(turned(head, this.#offset), yawOf(turned(head, this.#offset)), now);
    this.#turn(now);
  }

  /** Turns the head to a yaw by hand. */
  set(yaw) {
    this.#offset += yaw - yawOf(turned(this.#sensed, this.#offset));
    if (this.#front !== null) this.#front = yaw;
    this.#turn();
  }

  /** Turns the head by hand by degrees to the left and upwards. */
  look(left, up) {
    this.#pitch = Math.max(-steepest, Math.min(steepest, this.#pitch + up));
    const { yaw } = this;
    this.set(yaw + left);
  }

  /** The current direction becomes straight ahead. */
  recenter() {
    this.#pitch = 0;
    this.set(0);
  }

  /** Ends the sensors: the head keeps its direction, upright. */
  forgetSensors() {
    const { yaw } = this;
    this.#sensed = [1, 0, 0, 0];
    this.#offset = 0;
    this.#front = null;
    this.set(yaw);
  }
}
