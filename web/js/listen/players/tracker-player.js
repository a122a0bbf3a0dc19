import { roles } from '../../shared/tree/roles.js';
import { trackersOf } from '../../trackers/tracker.js';
import { listenerOf, setListenerOf } from './engine-player.js';

/** Name of the tracker source that a web page feeds. */
const source = 'web';
/** Time in milliseconds after which a new source is recentred, so that its first poses have arrived. */
const recenterDelay = 300;
/** Milliseconds between two measurements of the round trip. */
const measureEvery = 1000;

/**
 * Makes the phone a head tracker of a listener that is heard elsewhere, such as on the sound device. The engine mounts, centres and
 * corrects its orientation as that of any tracker. `ListenPage` documents the members of players.
 */
export class TrackerPlayer {
  mode = 'tracker';
  #tracker = null;
  #isRunning = false;
  /** Start of the round trip that is being measured; null for none. */
  #asked = null;
  #trip = null;
  #timer;
  /** The tree as it was seen last, and its node of the listener's head. */
  #root = null;
  #own = null;
  /** Poses sent since the start. */
  sent = 0;

  /**
   * @param engine an `EngineLink`
   * @param name of the listener
   * @param sensor a `PhoneSensor`
   * @param events as every player's
   */
  constructor(engine, name, sensor, events) {
    Object.assign(this, { engine, name, sensor, events });
    this.words = { go: 'Start', end: 'Stop' };
    this.title = `Head of listener ${name}`;
    this.context = null;
    this.azimuths = [];
    engine.choose(name, true);
  }

  get modeText() {
    return `This phone controls the head of listener ${this.name}, who listens on the engine’s sound device. It plays no sound.`;
  }

  /** Direction of the head as in the engine; null before it is known. */
  get heading() {
    return this.orientation?.[0] ?? null;
  }

  /** Yaw, pitch and roll in degrees as the engine has them, by this page or any other tracker; null before they are known. */
  get orientation() {
    const { engine } = this;
    if (engine.root !== this.#root) [this.#root, this.#own] = [engine.root, engine.own(roles.orientationEuler)];
    const pose = engine.values.of(this.#tracker ? this.#tracker.pose : this.#own);
    return pose.length >= 3 ? pose.slice(0, 3) : null;
  }

  /** The engine's sound device plays: its poses are those that are rendered, and are heard as late as the sound. */
  get delays() {
    const delay = this.engine.values.number(this.engine.find(roles.deviceDelay)) / 1000;
    return { sound: delay, head: delay };
  }

  async start() {
    this.#isRunning = true;
    this.sent = 0;
    this.#timer = setInterval(() => this.#measure(), measureEvery);
    this.refresh();
  }

  /** Attaches this page to the first free tracker, or after a lost connection to its own. */
  refresh() {
    const { engine } = this;
    if (!this.#isRunning || !engine.isLive || !engine.root) return;
    const trackers = trackersOf(engine.root);
    const isFree = (each) => !engine.values.of(each.source)[0];
    const own = trackers.find((each) => each.container.path === this.#tracker?.container.path);
    if (own && own !== this.#tracker && engine.values.of(own.source)[0] === source) {
      this.#tracker = own;
      return;
    }
    if (own && own === this.#tracker && !isFree(own)) return;
    this.#tracker = own ?? trackers.find(isFree) ?? null;
    if (!this.#tracker) {
      this.events.ended('All trackers of the engine are in use. Remove one on the panel, page Trackers, then press Start.');
      return;
    }
    engine.send(this.#tracker.listener, [Number(this.name)], 'i');
    engine.send(this.#tracker.source, [source], 's');
    this.events.say('Look straight ahead and press “Face the front”.');
  }

  stop() {
    clearInterval(this.#timer);
    this.#isRunning = false;
    if (this.#tracker) this.engine.send(this.#tracker.source, [''], 's');
    this.#tracker = null;
    this.events.say('Stopped. The head keeps its last orientation.');
  }

  end() {
    if (this.#isRunning) this.stop();
  }

  /** The engine joins what the sensors say with its own settings. */
  setHead() {}

  /** Takes an orientation of the sensors. */
  sense(head) {
    if (!this.#tracker || !this.engine.send(this.#tracker.orientation, head, 'ffff')) return;
    this.sent += 1;
    // A new source has no front yet, so the direction in which the phone points becomes straight ahead.
    if (this.sent === 1) this.beginSensors();
  }

  /** The phone is held in another way: its direction becomes straight ahead. */
  beginSensors() {
    window.setTimeout(() => this.recenter(), recenterDelay);
  }

  recenter() {
    if (this.#tracker) this.engine.connection.send(this.#tracker.recenter.path, []);
  }

  setListener(settings) {
    setListenerOf(this.engine, settings);
  }

  get listener() {
    return listenerOf(this.engine);
  }

  get statistics() {
    const [median] = this.engine.values.of(this.engine.find(roles.latency));
    const rate = `${Math.round(this.sensor.rate)} poses per second`;
    const trip = `round trip ${this.#trip === null ? '–' : `${this.#trip.toFixed(this.#trip < 10 ? 1 : 0)} ms`}`;
    if (!this.#isRunning) return { line: 'Not started', facts: [] };
    return {
      line: `${rate}, ${trip}`,
      facts: [`motion to sound ${median > 0 ? `${median.toFixed(1)} ms` : '–'}`, `tracker ${this.#tracker?.container.name ?? '–'}`],
    };
  }

  /** Measures the round trip to the engine; called once a second. */
  #measure() {
    const { engine } = this;
    const node = engine.find(roles.rate);
    if (engine.connection.state !== 'live' || !node) return;
    // The sample rate never changes, so the next message about it is the answer.
    if (this.#asked === null) {
      const end = engine.values.watch(node.path, () => {
        if (this.#asked === null) return;
        this.#trip = performance.now() - this.#asked;
        this.#asked = null;
        this.events.changed();
        queueMicrotask(end);
      });
    }
    this.#asked = performance.now();
    engine.connection.ask(node);
  }
}
