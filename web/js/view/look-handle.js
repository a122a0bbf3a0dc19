import { yawOf } from '../listen/listener-head.js';
import { onEscape } from '../shared/controls/escape.js';
import { wrap } from '../shared/numbers/angles.js';

/** Widths of the view in degrees: the widest, the narrowest, and the first. */
const fields = { least: 30, most: 120, first: 90 };
const step = 5;

/** Elevation of the nose of a head in degrees. */
const elevationOf = ([w, x, y, z]) => (Math.asin(Math.max(-1, Math.min(1, 2 * (x * z - w * y)))) * 180) / Math.PI;

/** Turns and tilts the head by dragging the picture, which Escape cancels, and by keys; zooms by the wheel, by two fingers and by keys. */
export class LookHandle {
  #pointers = new Map();
  /** The drag that is under way: the first width of the view, and degrees by which it has turned the head; null for none. */
  #drag = null;
  field = fields.first;

  /**
   * @param canvas the picture
   * @param head a `ListenerHead`
   * @param controls a `VideoControls`
   */
  constructor(canvas, head, controls) {
    Object.assign(this, { canvas, head, controls });
    canvas.addEventListener('pointerdown', (event) => this.#take(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      canvas.addEventListener(end, ({ pointerId }) => this.#release(pointerId));
    }
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.#zoom(Math.exp(event.deltaY / 800));
    }, { passive: false });
    canvas.addEventListener('keydown', (event) => this.#key(event));
  }

  #take(event) {
    if (event.button !== 0 || this.#pointers.size >= 2) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#drag ??= { field: this.field, left: 0, up: 0, unwatch: onEscape(() => this.#cancel()) };
  }

  #release(pointer) {
    this.#pointers.delete(pointer);
    if (this.#pointers.size > 0) return;
    this.#drag?.unwatch();
    this.#drag = null;
  }

  /** Ends the drag; head and view return to what they were. */
  #cancel() {
    const { field, left, up } = this.#drag;
    this.#pointers.clear();
    this.#drag = null;
    this.field = field;
    this.head.look(-left, -up);
  }

  #move({ pointerId, clientX: x, clientY: y }) {
    const former = this.#pointers.get(pointerId);
    if (!former) return;
    const distance = this.#distance;
    this.#pointers.set(pointerId, { x, y });
    if (this.#pointers.size === 2) {
      if (distance > 0 && this.#distance > 0) this.#zoom(distance / this.#distance);
      return;
    }
    // The picture stays under the finger.
    const degrees = this.field / Math.max(this.canvas.clientWidth, this.canvas.clientHeight, 1);
    this.#look((x - former.x) * degrees, (y - former.y) * degrees);
  }

  /** Turns the head, and notes by how much: it tilts up to a limit. */
  #look(left, up) {
    const before = this.head.head;
    this.head.look(left, up);
    const now = this.head.head;
    this.#drag.left += wrap(yawOf(now) - yawOf(before));
    this.#drag.up += this.head.isYawOnly ? up : elevationOf(now) - elevationOf(before);
  }

  /** Distance of two fingers in pixels; 0 for one. */
  get #distance() {
    const [one, two] = [...this.#pointers.values()];
    return two ? Math.hypot(one.x - two.x, one.y - two.y) : 0;
  }

  #zoom(factor) {
    this.field = Math.min(fields.most, Math.max(fields.least, this.field * factor));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { controls, head } = this;
    const by = event.shiftKey ? 1 : step;
    const action = {
      ArrowLeft: () => head.look(by, 0), ArrowRight: () => head.look(-by, 0), ArrowUp: () => head.look(0, by),
      ArrowDown: () => head.look(0, -by), Home: () => head.recenter(), '+': () => this.#zoom(0.9), '=': () => this.#zoom(0.9),
      '-': () => this.#zoom(1 / 0.9), g: () => controls.toggleMarks(), s: () => controls.toggleSplit(),
      f: () => controls.toggleFullScreen(), k: () => controls.actions.play(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
