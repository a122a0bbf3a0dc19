import { onEscape } from '../shared/controls/escape.js';
import { element, setAttribute } from '../shared/drawing/element.js';
import { numberText, withUnit } from '../shared/numbers/units.js';
import { Throttle } from '../shared/numbers/throttle.js';

/** Shortest time in milliseconds between two places sent while dragging. */
const interval = 10;
/** Metres that an arrow key moves a listener. */
const stride = 0.1;

/** The place after a key, metres to the front, to the left and up; null for keys that do not move a listener. */
export function stepPlace([front, left, up], key, isFine) {
  const step = isFine ? stride / 5 : stride;
  const moved = { ArrowUp: [1, 0, 0], ArrowDown: [-1, 0, 0], ArrowLeft: [0, 1, 0], ArrowRight: [0, -1, 0], PageUp: [0, 0, 1],
    PageDown: [0, 0, -1] }[key];
  if (key === 'Home') return [0, 0, 0];
  if (!moved) return null;
  return [front, left, up].map((number, axis) => Number((number + moved[axis] * step).toFixed(3)));
}

/** A place in words: "1.5 m to the front, 0.5 m to the left". */
export function metresInWords(place) {
  const words = [['to the front', 'to the back'], ['to the left', 'to the right'], ['up', 'down']];
  const parts = place.map((number, axis) => Math.abs(number) >= 0.005
    && `${withUnit(numberText(Math.abs(number), 2), 'm')} ${words[axis][number > 0 ? 0 : 1]}`);
  return parts.filter(Boolean).join(', ') || 'at the origin';
}

/** A listener's head on the map: dragged by pointer, which Escape cancels, or moved by keys. */
export class HeadHandle {
  /** Point on the map; see MapGeometry. */
  point = { x: 0, y: 0 };
  #grip = null;
  #dragged = null;

  /**
   * @param keys id of the text that explains the keys
   * @param changed called when the point has changed
   */
  constructor(page, listener, geometry, keys, changed) {
    Object.assign(this, { page, listener, geometry, changed });
    this.throttle = new Throttle(interval, (place) => page.send(listener.place, place));
    this.element = element('div', {
      class: 'map-head', role: 'slider', tabindex: 0, 'aria-label': `Place of ${listener.title.toLowerCase()}`,
      'aria-describedby': keys, 'aria-valuemin': -100, 'aria-valuemax': 100, 'data-listener': listener.name,
    });
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.element.addEventListener('pointerdown', (event) => this.#take(event));
    this.element.addEventListener('pointermove', (event) => this.#drag(event));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      this.element.addEventListener(end, (event) => this.#release(event));
    }
    page.watch(listener.place, () => this.#show());
    this.#show();
  }

  end() {
    this.#grip?.unwatch();
  }

  /** Place of the listener: the pointer's while it is dragged, otherwise the engine's. */
  get #place() {
    const [front = 0, left = 0, up = 0] = this.#dragged ?? this.page.values.of(this.listener.place) ?? [];
    return [front, left, up];
  }

  #show() {
    const place = this.#place;
    this.point = this.geometry.spot(place);
    this.element.style.left = `${50 + 50 * this.point.x}%`;
    this.element.style.top = `${50 + 50 * this.point.y}%`;
    setAttribute(this.element, 'aria-valuenow', Math.round(place[0] * 100) / 100);
    setAttribute(this.element, 'aria-valuetext', metresInWords(place));
    this.changed();
  }

  /** Position of a pointer from the centre, as shares of the map's radius. */
  #pointer(event) {
    const box = this.element.parentElement.getBoundingClientRect();
    return { x: ((event.clientX - box.left) * 2) / box.width - 1, y: ((event.clientY - box.top) * 2) / box.height - 1 };
  }

  #take(event) {
    if (event.button !== 0 || this.#grip) return;
    this.element.setPointerCapture(event.pointerId);
    const { x, y } = this.#pointer(event);
    this.#grip = {
      pointer: event.pointerId, x: x - this.point.x, y: y - this.point.y, place: this.#place, unwatch: onEscape(() => this.#cancel()),
    };
    this.element.classList.add('is-held');
    this.element.focus({ preventScroll: true });
  }

  #drag(event) {
    if (event.pointerId !== this.#grip?.pointer) return;
    const { x, y } = this.#pointer(event);
    const [front, left] = this.geometry.metres({ x: x - this.#grip.x, y: y - this.#grip.y });
    this.#dragged = [front, left, this.#place[2]];
    this.throttle.offer(this.#dragged);
    this.#show();
  }

  /** Ends the drag, and puts the listener back. */
  #cancel() {
    const { pointer, place } = this.#grip;
    this.throttle.drop();
    if (this.#dragged) this.page.send(this.listener.place, place);
    this.#release({ pointerId: pointer });
    this.#dragged = null;
    this.#show();
  }

  #release(event) {
    if (event.pointerId !== this.#grip?.pointer) return;
    this.#grip.unwatch();
    this.#grip = null;
    this.element.classList.remove('is-held');
    // The last place may still be waiting to be sent; until then the pointer's is the current one.
    setTimeout(() => {
      if (!this.#grip) this.#dragged = null;
      this.#show();
    }, interval * 2);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = stepPlace(this.#place, event.key, event.shiftKey);
    if (!place) return;
    event.preventDefault();
    this.page.send(this.listener.place, place);
  }
}
