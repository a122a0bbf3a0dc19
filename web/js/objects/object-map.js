import { headingOf } from '../shared/numbers/angles.js';
import { onEscape } from '../shared/controls/escape.js';
import { element, setAttribute, setText, uniqueId } from '../shared/drawing/element.js';
import { HeadHandle } from './head-handle.js';
import { MapGeometry, spreadLabels } from './map-geometry.js';
import { elevationInShort, placeInWords } from './objects.js';
import { NetworkHeads } from './network-heads.js';
import { drawMap } from './object-picture.js';
import { Room } from './room.js';
import { Throttle } from '../shared/numbers/throttle.js';
import { Canvas } from '../shared/drawing/canvas.js';

/** Shortest time in milliseconds between two positions sent while dragging. */
const placeInterval = 10;
/** Pixels between the centres of two labels. */
const gap = 34;

/** Top view of objects around the head; they are dragged by pointer, which Escape cancels, or moved by keys. */
export class ObjectMap {
  #rows = new Map();
  #grip = null;

  /**
   * @param page { values, send, watch, root }
   * @param world that of `Connection`, for the listeners on the network
   * @param objects at least one
   * @param listener whose head is drawn; null for none
   * @param listeners all of them, whose headings are drawn
   * @param choose called with an object that is selected
   */
  constructor(page, world, objects, listener, listeners, choose) {
    this.page = page;
    this.listener = listener;
    this.others = listeners.filter((each) => each !== listener);
    this.choose = choose;
    this.chosen = null;
    this.geometry = new MapGeometry(objects[0].distance);
    this.unit = objects[0].distance.unit;
    this.room = new Room(page.root);
    this.canvas = element('canvas', { class: 'map-canvas', 'aria-hidden': 'true' });
    const keys = element('p', { class: 'unseen', id: uniqueId('map-keys') },
      'The left and right arrow keys turn an object around the head by 5 degrees, up and down move it away and nearer, Page Up and '
      + 'Page Down raise and lower it; with Shift by a fifth of that. Home puts it in front.');
    for (const object of objects) this.#rows.set(object, this.#handle(object, keys.id));
    const headKeys = element('p', { class: 'unseen', id: uniqueId('head-keys') },
      'The arrow keys move the listener by 10 centimetres, Page Up and Page Down up and down; with Shift by a fifth of that. Home '
      + 'returns to the origin.');
    this.heads = [...this.others, listener].filter((each) => each?.place)
      .map((each) => new HeadHandle(page, each, this.geometry, headKeys.id, () => this.frame?.request()));
    this.box = element('div', { class: 'map-box' }, this.canvas, this.heads.map((head) => head.element),
      [...this.#rows.values()].map((row) => row.handle));
    this.element = element('div', { class: 'map' }, this.box, keys, headKeys);
    this.frame = new Canvas(this.canvas, (...place) => this.#paint(...place));
    const shown = new Set([listener, ...this.others].map((each) => each?.name));
    this.network = new NetworkHeads(world, (number) => shown.has(number), () => this.frame.request());
    this.network.watch(this.box);
    this.#follow();
  }

  end() {
    this.#grip?.unwatch();
    for (const head of this.heads) head.end();
    this.network.end();
    this.frame.end();
  }

  /** Marks an object as selected. */
  mark(object) {
    this.chosen = object;
    for (const [each, { handle }] of this.#rows) handle.classList.toggle('is-chosen', each === object);
    this.frame.request();
  }

  /** Moves the focus to an object. */
  focus(object) {
    this.#rows.get(object).handle.focus();
  }

  #follow() {
    const { page, listener } = this;
    for (const [object, row] of this.#rows) {
      for (const node of [object.azimuth, object.elevation, object.distance]) page.watch(node, () => this.#show());
      page.watch(object.name, ([name]) => {
        setText(row.label, name ?? '');
        setAttribute(row.handle, 'aria-label', object.title(page.values));
      });
      page.watch(object.source, ([source]) => row.handle.classList.toggle('is-silent', !source));
      page.watch(object.mute, ([isMuted]) => row.handle.classList.toggle('is-muted', Boolean(isMuted)));
    }
    for (const each of [listener, ...this.others].filter(Boolean)) {
      for (const node of [each.pose, each.front, each.earAzimuth]) page.watch(node, () => this.frame.request());
    }
    if (this.room.isThere) for (const node of this.room.shape) page.watch(node, () => this.frame.request());
    this.#show();
  }

  /** Position of an object: the pointer's while it is dragged, otherwise the engine's. */
  #placeOf(object) {
    const { dragged } = this.#rows.get(object);
    return { ...object.place(this.page.values), ...dragged };
  }

  /** Places all handles. */
  #show() {
    const half = (this.box.clientWidth || 600) / 2;
    const rows = [...this.#rows];
    const points = rows.map(([object]) => this.geometry.place(this.#placeOf(object)));
    // The label that is dragged stays under the pointer.
    const held = rows.findIndex(([, row]) => row.handle.classList.contains('is-held') && row.dragged);
    const free = points.filter((_, index) => index !== held);
    const labels = spreadLabels(free, gap / half);
    if (held >= 0) labels.splice(held, 0, points[held]);
    rows.forEach(([object, row], index) => {
      row.point = points[index];
      row.spot = labels[index];
      row.handle.style.left = `${50 + 50 * row.spot.x}%`;
      row.handle.style.top = `${50 + 50 * row.spot.y}%`;
      const place = this.#placeOf(object);
      setText(row.height, elevationInShort(place.elevation));
      setAttribute(row.handle, 'aria-valuenow', Math.round(place.azimuth));
      setAttribute(row.handle, 'aria-valuetext', placeInWords(place, this.unit));
    });
    this.frame.request();
  }

  #paint(context, width, height) {
    const { listener, page, geometry, unit, chosen } = this;
    const { values } = page;
    const spotOf = (each) => this.heads.find((head) => head.listener === each)?.point ?? { x: 0, y: 0 };
    const headingOfListener = (each) => headingOf(values.number(each?.pose), values.number(each?.front));
    drawMap(context, width, height, {
      geometry, unit,
      walls: this.room.outline(values),
      heading: headingOfListener(listener), at: spotOf(listener),
      name: this.others.length > 0 ? listener?.name : '',
      others: this.others.map((each) => ({ name: each.name, heading: headingOfListener(each), at: spotOf(each) })),
      crowd: this.network.all.map(({ number, name, heading, place }) => (
        { name: name || String(number), heading, at: geometry.spot(place) })),
      spots: [...this.#rows.values()].map((row) => [row.point, row.spot]),
      earAzimuth: values.number(listener?.earAzimuth, 90),
      chosen: chosen && this.#rows.get(chosen).point,
    });
    // The places of the labels depend on the width.
    if (this.width !== width) {
      this.width = width;
      this.#show();
    }
  }

  #handle(object, keys) {
    const label = element('span', { class: 'map-label', 'aria-hidden': 'true' });
    const height = element('span', { class: 'map-height', 'aria-hidden': 'true' });
    const handle = element('div', {
      class: 'map-handle', role: 'slider', tabindex: 0, 'aria-label': object.title(this.page.values), 'aria-describedby': keys,
      'aria-valuemin': object.azimuth.range?.minimum ?? -180, 'aria-valuemax': object.azimuth.range?.maximum ?? 180,
      'data-object': object.number,
    }, element('span', { class: 'map-disc', 'aria-hidden': 'true' }, object.number), label, height);
    const row = {
      handle, label, height, dragged: null, point: { x: 0, y: 0 }, spot: { x: 0, y: 0 },
      throttle: new Throttle(placeInterval, (place) => this.#send(object, place)),
    };
    handle.addEventListener('focus', () => this.choose(object));
    handle.addEventListener('keydown', (event) => this.#key(event, object));
    handle.addEventListener('pointerdown', (event) => this.#take(event, object, row));
    handle.addEventListener('pointermove', (event) => this.#drag(event, object, row));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      handle.addEventListener(end, (event) => this.#release(event, row));
    }
    return row;
  }

  /** Position of a pointer from the centre, as shares of the map's radius. */
  #point(event) {
    const box = this.box.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) * 2) / box.width - 1,
      y: ((event.clientY - box.top) * 2) / box.height - 1,
    };
  }

  #take(event, object, row) {
    if (event.button !== 0 || this.#grip) return;
    row.handle.setPointerCapture(event.pointerId);
    const { x, y } = this.#point(event);
    this.#grip = {
      pointer: event.pointerId, x: x - row.spot.x, y: y - row.spot.y, place: object.place(this.page.values),
      unwatch: onEscape(() => this.#cancel(object, row)),
    };
    row.handle.classList.add('is-held');
    row.handle.focus({ preventScroll: true });
    this.choose(object);
  }

  #drag(event, object, row) {
    if (event.pointerId !== this.#grip?.pointer) return;
    const { x, y } = this.#point(event);
    row.dragged = this.geometry.at({ x: x - this.#grip.x, y: y - this.#grip.y }, this.#placeOf(object));
    row.throttle.offer(row.dragged);
    this.#show();
  }

  /** Ends the drag, and puts the object back where it was. */
  #cancel(object, row) {
    const { pointer, place } = this.#grip;
    row.throttle.drop();
    if (row.dragged) this.#send(object, place);
    this.#release({ pointerId: pointer }, row);
    row.dragged = null;
    this.#show();
  }

  #release(event, row) {
    if (event.pointerId !== this.#grip?.pointer) return;
    this.#grip.unwatch();
    this.#grip = null;
    row.handle.classList.remove('is-held');
    // The last position may still be waiting to be sent; until then the pointer's is the current one.
    setTimeout(() => {
      if (!row.handle.classList.contains('is-held')) row.dragged = null;
      this.#show();
    }, placeInterval * 2);
  }

  #key(event, object) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const before = this.#placeOf(object);
    const place = this.geometry.step(before, event.key, event.shiftKey, object.elevation?.range ?? { minimum: 0, maximum: 0 });
    if (!place) return;
    event.preventDefault();
    this.#send(object, place, before);
  }

  /** Sends the coordinates that have changed, as one packet. */
  #send(object, place, before = {}) {
    const pairs = ['azimuth', 'elevation', 'distance']
      .filter((name) => object[name] && place[name] !== undefined && place[name] !== before[name])
      .map((name) => [object[name], [place[name]]]);
    if (pairs.length > 0) this.page.sendTogether(pairs);
  }
}
