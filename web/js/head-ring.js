import { fromScreen, headingInShort, headingInWords, headingOf, tiltInWords, wrap, yawFor } from './angles.js';
import { element, setAttribute, setText } from './element.js';
import { icon } from './icons.js';
import { Pace } from './pace.js';
import { Picture } from './picture.js';
import { RingPicture } from './ring-picture.js';
import { tiltSlider } from './tilt-slider.js';

/** Poses leave the hand at least this many milliseconds apart. */
const poseInterval = 4;
/** Share of the ring's radius around the centre in which a drag does not turn the head. */
const deadCentre = 0.08;

/** The head among its microphones: shows the pose, and turns it by hand or key. */
export class HeadRing {
  /**
   * @param page { values, send, watch, root }
   * @param listener whose head it is
   */
  constructor(page, listener) {
    this.page = page;
    this.listener = listener;
    this.hand = null;
    this.grip = null;
    this.picture = new RingPicture();
    this.pace = new Pace(poseInterval, (pose) => page.send(listener.pose, pose));
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
    this.frame = new Picture(this.canvas, (...place) => this.picture.draw(...place, this.#scene()));
    this.#follow();
    this.#listen();
  }

  /** Yaw, pitch and roll: the hand's while it turns the head, else the engine's. */
  get pose() {
    const known = this.page.values.of(this.listener.pose);
    return this.hand ?? [known[0] ?? 0, known[1] ?? 0, known[2] ?? 0];
  }

  get front() {
    return this.page.values.number(this.listener.front);
  }

  get heading() {
    return headingOf(this.pose[0], this.front);
  }

  end() {
    this.frame.end();
  }

  #build() {
    const { recenter } = this.listener;
    const button = recenter && element('button', {
      type: 'button', class: 'plain', title: recenter.help, onclick: () => this.#recenter(),
    }, icon('centre', 20), recenter.title);
    return element('div', { class: 'ring' },
      element('div', { class: 'ring-top' },
        element('p', { class: 'heading', 'aria-hidden': 'true' }, this.number, this.side), button),
      element('div', { class: 'ring-box' }, this.canvas, this.slider),
      element('p', { class: 'unseen', id: 'ring-keys' },
        'Left and right arrows turn the head by 5 degrees, with shift by 1. Up and down tilt it. Home recenters.'),
      this.legend,
      element('div', { class: 'tilts' }, this.tilts.map((tilt) => tilt.element)));
  }

  /** Draws again whenever a value that the picture shows has changed. */
  #follow() {
    const { listener, page } = this;
    const { root } = page;
    const redraw = () => this.frame.request();
    for (const node of [listener.pose, listener.front]) page.watch(node, () => this.#show());
    for (const node of [listener.earAzimuth, listener.lowWeight, listener.highWeight,
      root.find('microphone.peak'), root.find('microphone.rms')]) page.watch(node, redraw);
    page.watch(root.find('microphone.azimuth'), (azimuths) => this.#explain(azimuths.length > 0));
  }

  /** What the lines mean; or what to do when there are none. */
  #explain(hasMicrophones) {
    const key = (name, words) => element('span', { class: name }, words);
    this.legend.replaceChildren(...(hasMicrophones
      ? [key('legend-solid', 'below the crossover'), key('legend-dashed', 'above')]
      : ['No microphones yet: load a recording.']));
    this.frame.request();
  }

  #scene() {
    const { listener, page } = this;
    const { values, root } = page;
    const isBlind = document.body.classList.contains('is-blind');
    return {
      heading: this.heading,
      earAzimuth: values.number(listener.earAzimuth, 90),
      azimuths: values.of(root.find('microphone.azimuth')),
      peaks: values.of(root.find('microphone.peak')),
      rms: values.of(root.find('microphone.rms')),
      // In a blind comparison they would tell which method is heard.
      low: isBlind ? [] : values.of(listener.lowWeight),
      high: isBlind ? [] : values.of(listener.highWeight),
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
    // Comes as often as the pointer reports, where the browser has it; else once a frame.
    slider.addEventListener('pointerrawupdate', (event) => this.#drag(event));
    slider.addEventListener('pointermove', (event) => this.#drag(event));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      slider.addEventListener(end, (event) => this.#release(event));
    }
    slider.addEventListener('keydown', (event) => this.#key(event));
    for (const change of ['focus', 'blur']) slider.addEventListener(change, () => this.frame.request());
  }

  /** Where the pointer is, seen from the centre: azimuth, and distance as a share of the radius. */
  #polar(event) {
    const box = this.slider.getBoundingClientRect();
    const centre = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    return {
      azimuth: fromScreen(event.clientX, event.clientY, centre.x, centre.y),
      distance: Math.hypot(event.clientX - centre.x, event.clientY - centre.y) / (box.width / 2),
    };
  }

  #take(event) {
    if (event.button !== 0 || this.grip) return;
    this.slider.setPointerCapture(event.pointerId);
    this.grip = { pointer: event.pointerId, azimuth: this.#polar(event).azimuth };
    this.hand = this.pose;
    this.#show();
  }

  #drag(event) {
    if (event.pointerId !== this.grip?.pointer) return;
    const { azimuth, distance } = this.#polar(event);
    const turned = wrap(azimuth - this.grip.azimuth);
    if (distance < deadCentre || turned === 0) return;
    this.grip.azimuth = azimuth;
    this.#turn(turned);
  }

  #release(event) {
    if (event.pointerId !== this.grip?.pointer) return;
    this.grip = null;
    // The last pose may still wait for its turn; until then the hand's is the true one.
    setTimeout(() => {
      if (!this.grip) this.hand = null;
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
      this.hand = pose;
      this.pace.offer(pose);
      this.#show();
    } else {
      this.page.send(this.listener.pose, pose);
    }
  }

  #recenter() {
    if (this.listener.recenter) this.page.send(this.listener.recenter, []);
  }
}
