import { fromPointer, headingInWords, wrap } from '../shared/numbers/angles.js';
import { setAttribute } from '../shared/drawing/element.js';

/** Share of the ring's radius around the centre inside which dragging does not turn the head. */
const deadCentre = 0.08;

/** Turns the head by pointer and keys on the ring's picture. */
export class TurnHandle {
  #grip = null;

  /**
   * @param slider the element over the picture
   * @param head a `ListenerHead`
   */
  constructor(slider, head) {
    this.slider = slider;
    this.head = head;
    slider.addEventListener('pointerdown', (event) => this.#take(event));
    slider.addEventListener('pointerrawupdate', (event) => this.#drag(event));
    slider.addEventListener('pointermove', (event) => this.#drag(event));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) slider.addEventListener(end, () => { this.#grip = null; });
    slider.addEventListener('keydown', (event) => this.#key(event));
  }

  get isHeld() {
    return this.#grip !== null;
  }

  /** Announces the direction to screen readers. */
  show(yaw) {
    setAttribute(this.slider, 'aria-valuenow', Math.round(yaw));
    setAttribute(this.slider, 'aria-valuetext', headingInWords(yaw));
  }

  #take(event) {
    if (event.button !== 0 || this.#grip) return;
    this.slider.setPointerCapture(event.pointerId);
    this.#grip = { pointer: event.pointerId, azimuth: fromPointer(event, this.slider).azimuth };
  }

  #drag(event) {
    if (event.pointerId !== this.#grip?.pointer) return;
    const { azimuth, distance } = fromPointer(event, this.slider);
    const turned = wrap(azimuth - this.#grip.azimuth);
    if (distance < deadCentre || turned === 0) return;
    this.#grip.azimuth = azimuth;
    this.head.set(wrap(this.head.yaw + turned));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 1 : 5;
    const yaw = { ArrowLeft: step, ArrowRight: -step, PageUp: 45, PageDown: -45 }[event.key];
    if (yaw === undefined && event.key !== 'Home') return;
    event.preventDefault();
    this.head.set(event.key === 'Home' ? 0 : wrap(this.head.yaw + yaw));
  }
}
