import { Connection } from '../shared/connection/connection.js';
import { showConnection } from '../shared/connection/connection-status.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { headingInShort } from '../shared/numbers/angles.js';
import { ListedScope } from '../shared/tree/listed-scope.js';
import { listenersOf } from '../shared/tree/tree.js';
import { Values } from '../shared/tree/values.js';
import { trackersOf } from '../trackers/tracker.js';
import { PhoneSensor } from './phone-sensor.js';
import { roles } from '../shared/tree/roles.js';

/** Name of the tracker source that a web page feeds. */
const source = 'web';
/** Time in milliseconds after which a new source is recentred, so that its first poses have arrived. */
const recenterDelay = 300;
/** Silence of the sensor in milliseconds after which the page reports a problem. */
const longSilence = 2000;
const part = (id) => document.getElementById(id);

/** Opens the page that makes a phone a head tracker; start.js documents the returned object. */
export function open(world, login) {
  const phone = new Phone(world, login);
  return {
    start: () => phone.start(),
    retry: () => phone.connection.retry(),
    diagnostics: {
      get state() {
        return phone.connection.state;
      },
      get sent() {
        return phone.sent;
      },
    },
  };
}

/** A phone as head tracker: sends its orientation to a free tracker of the engine. */
class Phone {
  #values = new Values();
  #root = null;
  #tracker = null;
  /** When the round trip that is being measured began; null when none is. */
  #asked = null;
  /** Poses sent since Start. */
  sent = 0;

  constructor(world, login) {
    this.connection = new Connection(world, this.#values, {
      state: (state) => this.#showState(state),
      tree: (root) => {
        login.hide();
        this.#root = root;
        this.#showListeners();
      },
      error: (text) => this.#say(text, true),
      locked: () => login.show(),
    }, (root) => [...trackersOf(root).map((each) => each.container), root.find(roles.latency)].filter(Boolean).map((node) => node.path),
    new ListedScope());
    this.sensor = new PhoneSensor(window, (head) => this.#send(head));
  }

  start() {
    this.#listen();
    setInterval(() => this.#show(), 100);
    setInterval(() => this.#measure(), 1000);
    this.connection.start();
  }

  #listen() {
    part('start').addEventListener('click', () => this.#toggle());
    part('recenter').addEventListener('click', () => {
      this.connection.send(this.#tracker.recenter.path, []);
      this.#say('This direction is now straight ahead.');
    });
    part('listener').addEventListener('change', () => {
      if (this.#tracker) this.connection.send(this.#tracker.listener.path, [Number(part('listener').value)], 'i');
    });
    for (const input of document.querySelectorAll('[name="hold"]')) {
      input.addEventListener('change', () => {
        this.sensor.isUpright = input.value === 'upright';
        if (this.#tracker) this.#recenterLater();
      });
    }
    window.addEventListener('pagehide', () => this.#release());
  }

  #say(text, isWrong = false) {
    setText(part('words'), text);
    part('words').classList.toggle('is-wrong', isWrong);
  }

  #showState(state) {
    showConnection(state);
    if (state === 'live') this.#begin();
    if (state === 'lost' && this.sensor.isRunning) this.#say(this.connection.reason, true);
  }

  #showListeners() {
    const wanted = new URLSearchParams(window.location.search).get('listener');
    const listeners = listenersOf(this.#root);
    const select = part('listener');
    const chosen = select.value || wanted || listeners[0]?.name;
    select.replaceChildren(...listeners.map((listener) =>
      element('option', { value: listener.name, selected: listener.name === chosen }, listener.title)));
    part('listeners').hidden = listeners.length < 2;
  }

  /** Attaches this page to the first free tracker, or after a lost connection to its own. */
  #begin() {
    if (!this.sensor.isRunning || this.connection.state !== 'live' || !this.#root) return;
    const trackers = trackersOf(this.#root);
    const isFree = (each) => !this.#values.of(each.source)[0];
    const own = trackers.find((each) => each.container.path === this.#tracker?.container.path);
    this.#tracker = own ?? trackers.find(isFree) ?? null;
    if (!this.#tracker) {
      this.#say('All trackers of the engine are in use. Remove one on the panel, page Trackers, then press Stop and Start.', true);
      return;
    }
    this.connection.send(this.#tracker.listener.path, [Number(part('listener').value) || 1], 'i');
    this.connection.send(this.#tracker.source.path, [source], 's');
    this.#say('Look straight ahead and press “Set straight ahead”.');
  }

  #release() {
    if (this.#tracker) this.connection.send(this.#tracker.source.path, [''], 's');
    this.#tracker = null;
  }

  /** Sends one orientation of the head, a quaternion w x y z. */
  #send(head) {
    if (!this.#tracker || !this.connection.send(this.#tracker.orientation.path, head, 'ffff')) return;
    this.sent += 1;
    part('recenter').disabled = false;
    // A new source has no front yet, so the direction in which the phone points becomes straight ahead.
    if (this.sent === 1) this.#recenterLater();
  }

  #recenterLater() {
    window.setTimeout(() => this.#tracker && this.connection.send(this.#tracker.recenter.path, []), recenterDelay);
  }

  async #toggle() {
    const { sensor } = this;
    if (sensor.isRunning) {
      sensor.stop();
      this.#release();
      this.#say('Stopped. The head keeps its last orientation.');
    } else {
      const problem = await sensor.start();
      if (problem) {
        this.#say(problem, true);
        return;
      }
      this.sent = 0;
      this.#begin();
    }
    setAttribute(part('start'), 'aria-pressed', sensor.isRunning);
    setText(part('start'), sensor.isRunning ? 'Stop' : 'Start');
    part('recenter').disabled = true;
  }

  /** Shows rate, heading and problems of the sensor; called ten times a second. */
  #show() {
    const { sensor } = this;
    setText(part('rate'), sensor.isRunning ? String(Math.round(sensor.rate)) : '–');
    setText(part('wake'), sensor.wakeWords);
    if (sensor.isRunning && sensor.silence > longSilence) {
      this.#say('The browser delivers no orientation. Use a phone with a gyroscope, and allow this page to use motion sensors.', true);
    }
    const pose = this.#tracker ? this.#values.of(this.#tracker.pose) : [];
    if (pose.length === 0) return;
    const { number, side } = headingInShort(pose[0]);
    setText(part('number'), number);
    setText(part('side'), side);
    setAttribute(part('turned'), 'style', `transform: rotate(${-pose[0]}deg)`);
  }

  /** Measures the round trip to the engine and shows its motion-to-sound latency; called once a second. */
  #measure() {
    const [median] = this.#values.of(this.#root?.find(roles.latency));
    setText(part('latency'), median > 0 ? `${median.toFixed(1)} ms` : '–');
    const node = this.#root?.find(roles.rate);
    if (this.connection.state !== 'live' || !node) return;
    // The sample rate never changes, so the next message about it is the answer.
    if (this.#asked === null) {
      const end = this.#values.watch(node.path, () => {
        if (this.#asked === null) return;
        const milliseconds = performance.now() - this.#asked;
        this.#asked = null;
        setText(part('trip'), `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`);
        queueMicrotask(end);
      });
    }
    this.#asked = performance.now();
    this.connection.ask(node);
  }
}
