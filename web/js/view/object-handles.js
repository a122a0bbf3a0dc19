import { onEscape } from '../shared/controls/escape.js';
import { MapGeometry } from '../objects/map-geometry.js';
import { objectsOf, placeInWords } from '../objects/objects.js';
import { element, setAttribute, setText, uniqueId } from '../shared/drawing/element.js';
import { Throttle } from '../shared/numbers/throttle.js';
import { roles } from '../shared/tree/roles.js';
import { anglesAt, direction, onScreen, toSide } from './sphere-geometry.js';

/** Shortest time in milliseconds between two directions sent while dragging. */
const interval = 20;
/** Place of objects that are out of the picture, as a share of its half. */
const edge = 0.94;
/** Keys of the map that do what a key does here: the up and down arrows raise and lower an object. */
const keys = { ArrowUp: 'PageUp', ArrowDown: 'PageDown', PageUp: 'ArrowUp', PageDown: 'ArrowDown' };

/** Sound objects over the picture: they are dragged to other directions, which Escape cancels, or moved by keys. */
export class ObjectHandles {
  #rows = [];
  #unwatch = [];
  #grip = null;
  #view = null;
  isPermitted = true;

  /** @param engine an `EngineLink` */
  constructor(engine) {
    this.engine = engine;
    this.words = element('p', { class: 'unseen', id: uniqueId('object-keys') },
      'The arrow keys move an object by 5 degrees, with Shift by 1. Page Up and Page Down move it away and nearer. Home puts it in front.');
    this.element = element('div', { class: 'view-objects', hidden: true }, this.words);
  }

  /** Follows the engine's tree, after each change of it. */
  refresh() {
    if (this.#grip) {
      // The handle that is held goes, and would hear of no release.
      this.#grip.unwatch();
      this.#grip = null;
      this.#gesture(false);
    }
    for (const end of this.#unwatch) end();
    this.#unwatch = [];
    const { root, values } = this.engine;
    const objects = root ? objectsOf(root) : [];
    this.#rows = objects.map((object) => this.#row(object));
    this.element.replaceChildren(this.words, ...this.#rows.map(({ handle }) => handle));
    for (const row of this.#rows) {
      const { object } = row;
      const watch = (node, take) => node && this.#unwatch.push(values.watch(node.path, take));
      watch(object.name, ([name]) => {
        setText(row.label, name ?? '');
        setAttribute(row.handle, 'aria-label', object.title(values));
      });
      watch(object.source, ([source]) => {
        // An object without a sound is nothing to be moved in the picture.
        row.isSounding = Boolean(source);
        row.handle.hidden = !row.isSounding;
      });
      watch(object.mute, ([isMuted]) => row.handle.classList.toggle('is-muted', Boolean(isMuted)));
    }
  }

  #row(object) {
    const label = element('span', { class: 'map-label', 'aria-hidden': 'true' });
    const handle = element('div', {
      class: 'map-handle view-object', role: 'slider', tabindex: 0, hidden: true, 'aria-label': object.title(this.engine.values),
      'aria-describedby': this.words.id, 'aria-valuemin': -180, 'aria-valuemax': 180, 'aria-valuenow': 0, 'data-object': object.number,
    }, element('span', { class: 'map-disc', 'aria-hidden': 'true' }, object.number), label);
    const row = {
      object, handle, label, dragged: null, isSounding: false, geometry: new MapGeometry(object.distance),
      throttle: new Throttle(interval, (place) => this.#send(object, place)),
    };
    handle.addEventListener('keydown', (event) => this.#key(event, row));
    handle.addEventListener('pointerdown', (event) => this.#take(event, row));
    handle.addEventListener('pointermove', (event) => this.#drag(event, row));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      handle.addEventListener(end, (event) => this.#release(event, row));
    }
    return row;
  }

  /** Position of an object: the pointer's while it is dragged, otherwise the engine's. */
  #placeOf({ object, dragged }) {
    return { ...object.place(this.engine.values), ...dragged };
  }

  /**
   * Puts all handles where the picture shows their directions, or hides them.
   *
   * @param view `head` and `field`, as for `SpherePicture`; null to hide them
   */
  show(view) {
    this.#view = view;
    this.element.hidden = !view;
    if (!view) return;
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.#rows.forEach((row, index) => {
      if (!row.isSounding) return;
      const place = this.#placeOf(row);
      const towards = direction(place.azimuth, place.elevation);
      const at = onScreen(view.head, towards, view.field, width / height);
      const isInside = at !== null && Math.abs(at.x) <= edge && Math.abs(at.y) <= edge;
      const outside = { x: -edge * toSide(view.head, towards), y: edge - (2 * edge * (index + 1)) / (this.#rows.length + 1) };
      const { x, y } = isInside ? at : outside;
      row.handle.style.left = `${50 + 50 * x}%`;
      row.handle.style.top = `${50 - 50 * y}%`;
      row.handle.classList.toggle('is-outside', !isInside);
      setAttribute(row.handle, 'aria-valuenow', Math.round(place.azimuth));
      setAttribute(row.handle, 'aria-valuetext', placeInWords(place, row.object.distance.unit) + (isInside ? '' : ', out of the picture'));
    });
  }

  // MARK: Moving

  #take(event, row) {
    if (event.button !== 0 || this.#grip || !this.isPermitted) return;
    event.preventDefault();
    row.handle.setPointerCapture(event.pointerId);
    row.handle.classList.add('is-held');
    row.handle.focus({ preventScroll: true });
    this.#grip = {
      pointer: event.pointerId, place: row.object.place(this.engine.values), unwatch: onEscape(() => this.#cancel(row)),
    };
    this.#gesture(true);
  }

  #drag(event, row) {
    if (event.pointerId !== this.#grip?.pointer || !this.#view) return;
    const { left, top, width, height } = this.element.getBoundingClientRect();
    const at = { x: (2 * (event.clientX - left)) / width - 1, y: 1 - (2 * (event.clientY - top)) / height };
    row.dragged = anglesAt(this.#view.head, at, this.#view.field, width / height);
    row.throttle.offer(row.dragged);
  }

  /** Ends the drag, and puts the object back where it was. */
  #cancel(row) {
    const { pointer, place } = this.#grip;
    row.throttle.drop();
    if (row.dragged) this.#send(row.object, place);
    row.dragged = null;
    this.#release({ pointerId: pointer }, row);
  }

  #release(event, row) {
    if (event.pointerId !== this.#grip?.pointer) return;
    this.#grip.unwatch();
    this.#grip = null;
    row.handle.classList.remove('is-held');
    // The last direction may still be waiting to be sent.
    setTimeout(() => {
      row.dragged = null;
      this.#gesture(false);
    }, 2 * interval);
  }

  #key(event, row) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.isPermitted) return;
    const before = this.#placeOf(row);
    const key = keys[event.key] ?? event.key;
    const place = row.geometry.step(before, key, event.shiftKey, row.object.elevation?.range ?? { minimum: 0, maximum: 0 });
    if (!place) return;
    event.preventDefault();
    this.#send(row.object, place, before);
  }

  /** Sends the coordinates that have changed as one packet, which is one step of undo. */
  #send(object, place, before = {}) {
    const { connection, values } = this.engine;
    const nodes = ['azimuth', 'elevation', 'distance'].filter((name) => object[name] && place[name] !== undefined
      && place[name] !== before[name]).map((name) => [object[name], [place[name]]]);
    if (nodes.length === 0 || !connection.sendTogether(nodes.map(([node, sent]) => [node.path, sent, node.type]))) return;
    for (const [node, sent] of nodes) values.set(node.path, sent);
  }

  /** Makes all changes of a drag one step of undo. */
  #gesture(isBegin) {
    const node = this.engine.find(roles.gesture);
    if (node) this.engine.connection.send(node.path, [isBegin], isBegin ? 'T' : 'F');
  }
}
