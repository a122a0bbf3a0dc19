import { fromPointer, headingInShort, headingInWords, headingOf, tiltInWords, wrap, yawFor } from '../shared/numbers/angles.js';
import { onEscape } from '../shared/controls/escape.js';
import { claimRoles } from '../shared/controls/displayed-roles.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { Throttle } from '../shared/numbers/throttle.js';
import { Canvas } from '../shared/drawing/canvas.js';
import { microphoneButtons } from './microphone-buttons.js';
import { RingPicture } from './ring-picture.js';
import { tiltSlider } from './tilt-slider.js';
import { roles } from '../shared/tree/roles.js';

claimRoles(roles.orientationEuler, roles.recenter, roles.microphoneAzimuth, roles.microphonePeak, roles.microphoneRMS,
  roles.lowWeight, roles.highWeight);

/** Shortest time in milliseconds between two poses sent while dragging. */
const poseInterval = 4;
/** Share of the ring's radius around the centre inside which dragging does not turn the head. */
const deadCentre = 0.08;

/** The head among its microphones: shows the pose, and turns it by pointer, which Escape cancels, or key. */
export class HeadRing {
  /**
   * @param page { values, send, watch, root }
   * @param listener whose head it is
   */
  constructor(page, listener) {
    this.page = page;
    this.listener = listener;
    this.dragged = null;
    this.grip = null;
    this.picture = new RingPicture();
    this.throttle = new Throttle(poseInterval, (pose) => page.send(listener.pose, pose));
    this.canvas = element('canvas', { class: 'ring-canvas', 'aria-hidden': 'true' });
    this.slider = element('div', {
      class: 'ring-slider', role: 'slider', tabindex: 0, 'aria-label': 'Heading', 'aria-describedby': 'ring-keys',
      'aria-valuemin': -180, 'aria-valuemax': 180,
    });
    this.number = element('span', { class: 'heading-number' });
    this.side = element('span', { class: 'heading-side' });
    this.tilts = [
      tiltSlider('Pitch', 'pitch', ['up', 'down'], (degrees) => this.#tilt(1, degrees)),
      tiltSlider('Roll', 'roll', ['to the right', 'to the left'], (degrees) => this.#tilt(2, degrees)),
    ];
    this.legend = element('p', { class: 'legend' });
    this.element = this.#build();
    this.frame = new Canvas(this.canvas, (...place) => this.picture.draw(...place, this.#scene()));
    this.#follow();
    this.#listen();
  }

  /** Yaw, pitch and roll: those of the pointer while it turns the head, otherwise the engine's. */
  get pose() {
    const known = this.page.values.of(this.listener.pose);
    return this.dragged ?? [known[0] ?? 0, known[1] ?? 0, known[2] ?? 0];
  }

  get front() {
    return this.page.values.number(this.listener.front);
  }

  get heading() {
    return headingOf(this.pose[0], this.front);
  }

  end() {
    this.grip?.unwatch();
    this.frame.end();
  }

  #build() {
    const { recenter } = this.listener;
    const button = recenter && element('button', {
      type: 'button', class: 'plain', title: recenter.help, onclick: () => this.#recenter(),
    }, icon('centre', 20), recenter.title);
    const microphones = microphoneButtons(this.page);
    return element('div', { class: 'ring' },
      element('div', { class: 'ring-top' },
        element('p', { class: 'heading', 'aria-hidden': 'true' }, this.number, this.side), button),
      element('div', { class: 'ring-box' }, this.canvas, this.slider, microphones?.layer),
      microphones?.choice,
      element('p', { class: 'unseen', id: 'ring-keys' },
        'The left and right arrow keys turn the head by 5 degrees, with Shift by 1. Up and down tilt it. Home recenters it.'),
      this.legend,
      element('div', { class: 'tilts' }, this.tilts.map((tilt) => tilt.element)));
  }

  /** Redraws when a value that the picture shows changes. */
  #follow() {
    const { listener, page } = this;
    const { root } = page;
    const redraw = () => this.frame.request();
    for (const node of [listener.pose, listener.front]) page.watch(node, () => this.#show());
    for (const node of [listener.earAzimuth, listener.lowWeight, listener.highWeight,
      root.find(roles.microphonePeak), root.find(roles.microphoneRMS)]) page.watch(node, redraw);
    page.watch(root.find(roles.microphoneAzimuth), (azimuths) => this.#explain(azimuths.length > 0));
  }

  /** Legend of the lines, or how to get microphones when there are none. */
  #explain(hasMicrophones) {
    const key = (name, words) => element('span', { class: name }, words);
    this.legend.replaceChildren(...(hasMicrophones
      ? [key('legend-solid', 'below the crossover'), key('legend-dashed', 'above the crossover')]
      : ['No microphones yet. Load a recording on the page Session.']));
    this.frame.request();
  }

  #scene() {
    const { listener, page } = this;
    const { values, root } = page;
    return {
      heading: this.heading,
      earAzimuth: values.number(listener.earAzimuth, 90),
      azimuths: values.of(root.find(roles.microphoneAzimuth)),
      peaks: values.of(root.find(roles.microphonePeak)),
      rms: values.of(root.find(roles.microphoneRMS)),
      low: values.of(listener.lowWeight),
      high: values.of(listener.highWeight),
      isHeld: this.grip !== null,
      isFocused: this.slider.matches(':focus-visible'),
    };
  }

  #show() {
    const { heading, pose } = this;
    const short = headingInShort(heading);
    setText(this.number, short.number);
    setText(this.side, short.side);
    setAttribute(this.slider, 'aria-valuenow', Math.round(heading));
    setAttribute(this.slider, 'aria-valuetext',
      headingInWords(heading) + (Math.abs(pose[1]) < 0.5 ? '' : `, ${tiltInWords(pose[1], 'up', 'down')}`));
    this.tilts.forEach((tilt, index) => tilt.show(pose[index + 1]));
    this.frame.request();
  }

  #listen() {
    const { slider } = this;
    slider.addEventListener('pointerdown', (event) => this.#take(event));
    // Fires at the pointer's own rate where the browser supports it; `pointermove` fires once per frame.
    slider.addEventListener('pointerrawupdate', (event) => this.#drag(event));
    slider.addEventListener('pointermove', (event) => this.#drag(event));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      slider.addEventListener(end, (event) => this.#release(event));
    }
    slider.addEventListener('keydown', (event) => this.#key(event));
    for (const change of ['focus', 'blur']) slider.addEventListener(change, () => this.frame.request());
  }

  #take(event) {
    if (event.button !== 0 || this.grip) return;
    this.slider.setPointerCapture(event.pointerId);
    this.grip = {
      pointer: event.pointerId, azimuth: fromPointer(event, this.slider).azimuth, pose: this.pose, isMoved: false,
      unwatch: onEscape(() => this.#cancel()),
    };
    this.dragged = this.pose;
    this.#show();
  }

  #drag(event) {
    if (event.pointerId !== this.grip?.pointer) return;
    const { azimuth, distance } = fromPointer(event, this.slider);
    const turned = wrap(azimuth - this.grip.azimuth);
    if (distance < deadCentre || turned === 0) return;
    this.grip.azimuth = azimuth;
    this.#turn(turned);
  }

  /** Ends the drag, and turns the head back to where it was. */
  #cancel() {
    const { pointer, pose, isMoved } = this.grip;
    this.throttle.drop();
    if (isMoved) this.page.send(this.listener.pose, pose);
    this.dragged = null;
    this.#release({ pointerId: pointer });
  }

  #release(event) {
    if (event.pointerId !== this.grip?.pointer) return;
    this.grip.unwatch();
    this.grip = null;
    // The last pose may still be waiting to be sent; until then the pointer's is the current one.
    setTimeout(() => {
      if (!this.grip) this.dragged = null;
      this.#show();
    }, poseInterval * 2);
    this.#show();
  }

  #key(event) {
    const step = event.shiftKey ? 1 : 5;
    const actions = {
      ArrowLeft: () => this.#turn(step),
      ArrowRight: () => this.#turn(-step),
      ArrowUp: () => this.#tilt(1, this.pose[1] + step),
      ArrowDown: () => this.#tilt(1, this.pose[1] - step),
      PageUp: () => this.#turn(45),
      PageDown: () => this.#turn(-45),
      Home: () => this.#recenter(),
    };
    if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions[event.key]();
  }

  #turn(degrees) {
    const [, pitch, roll] = this.pose;
    this.#set([yawFor(this.heading + degrees, this.front), pitch, roll]);
  }

  #tilt(index, degrees) {
    const pose = [...this.pose];
    pose[index] = Math.min(90, Math.max(-90, degrees));
    this.#set(pose);
  }

  #set(pose) {
    if (this.grip) {
      this.grip.isMoved = true;
      this.dragged = pose;
      this.throttle.offer(pose);
      this.#show();
    } else {
      this.page.send(this.listener.pose, pose);
    }
  }

  #recenter() {
    if (this.listener.recenter) this.page.send(this.listener.recenter, []);
  }
}
