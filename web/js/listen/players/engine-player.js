import { listenWords } from '../../playback/listen-words.js';
import { silence } from '../../playback/listener-sound.js';
import { join } from '../../playback/own-listener.js';
import { OutputClock } from '../../playback/stream/output-clock.js';
import { Throttle } from '../../shared/numbers/throttle.js';
import { outputDelay } from '../../shared/sound/output-delay.js';
import { roles } from '../../shared/tree/roles.js';
import { trackersAt, trackersOf } from '../../trackers/tracker.js';
import { rotation } from '../../view/sphere-geometry.js';
import { ClientReport } from '../engine/client-report.js';
import { AdaptiveSound } from './adaptive-sound.js';
import { engineDelays, latencyOf } from './player-delays.js';

/** Likely rate of the sound device; the engine reports the true one. */
const likelyRate = 48_000;

/** Milliseconds between two poses for the engine while this browser renders: there they are for display and takes only. */
const poseInterval = 50;

/** Plays a listener of this page's own, which this browser renders, or the engine. `ListenPage` documents the members of players. */
export class EnginePlayer {
  #numbers = silence;
  #head = [1, 0, 0, 0];
  #report = null;
  #clock = null;
  #measured = null;
  /** Ends the following of the engine's head of the own listener. */
  #unwatch = () => {};
  #root = null;
  /** The engine's trackers, and its node of the own listener's head. */
  #trackers = [];
  #pose = null;

  /**
   * @param engine an `EngineLink`
   * @param {string | null} refusal why this browser cannot render the engine's scene
   * @param events as every player's
   */
  constructor(engine, refusal, events) {
    this.engine = engine;
    this.browserRefusal = refusal;
    this.events = events;
    this.sound = null;
    this.words = { go: 'Join', end: 'Leave' };
    this.poses = new Throttle(poseInterval, () => this.#sendHead());
    /** Whether a stop leaves the engine. */
    this.leaves = true;
  }

  /** Reason why this browser does not render; null when it can, and the engine sends the scene. */
  get refusal() {
    return this.browserRefusal ?? this.engine.sceneRefusal;
  }

  get title() {
    const name = this.engine.values.of(this.engine.find(roles.recording))[0];
    return name ? String(name).split('/').pop() : 'Live';
  }

  /** `client` when this browser renders, `server` when the engine does. */
  get mode() {
    return this.sound?.mode ?? (this.refusal ? 'server' : 'client');
  }

  get modeText() {
    const reason = this.sound ? this.sound.reason : this.refusal;
    if (this.mode === 'client') return 'Rendered in this browser, from the engine’s scene: the network adds no delay to head movements.';
    return `Rendered by the engine: ${reason ?? 'the scene begins'}.`;
  }

  get context() {
    return this.sound?.context ?? null;
  }

  get azimuths() {
    return this.engine.values.of(this.engine.find(roles.microphoneAzimuth));
  }

  get delays() {
    return engineDelays(this.context, this.mode, this.#numbers, this.#measured);
  }

  /** Yaw, pitch and roll in degrees of the own listener while a tracker of the engine is in charge of it; null while this page is. */
  get orientation() {
    const { values } = this.engine;
    const own = this.sound ? trackersAt(this.#trackers, values, { name: String(this.sound.name) }) : [];
    if (!own.some(({ inCharge }) => values.of(inCharge)[0])) return null;
    const pose = values.of(this.#pose);
    return pose.length === 3 ? pose : null;
  }

  /**
   * Seconds from the engine to the ear, by the sample that is heard and the time at which the engine sent it; null before both are known.
   */
  #measure({ origin, latency = 0, stream }) {
    const { context } = this;
    if (context && this.#clock?.context !== context) this.#clock = new OutputClock(context);
    this.#clock?.look();
    if (!context || !Number.isFinite(origin) || !Number.isFinite(stream?.link?.origin)) return null;
    return origin + latency - this.#clock.offset + outputDelay() - stream.link.origin / 1000;
  }

  async start() {
    if (this.sound) return;
    const { events } = this;
    const sound = new AdaptiveSound(join, likelyRate, {
      report: (numbers) => {
        const wasPlaying = this.#numbers.playing;
        this.#numbers = numbers;
        this.#measured = this.#measure(numbers);
        if (numbers.playing !== wasPlaying) events.say(numbers.playing ? 'You are listening. Turn your head.' : 'Waiting for sound.');
        events.changed();
      },
      waiting: () => {
        this.#numbers = silence;
        const { full } = this.engine;
        events.say(full ? `All ${full} listeners of the engine are in use. This page joins when one is free.`
          : 'The engine does not answer. This page reconnects automatically.', true);
        events.changed();
      },
      joined: (name) => this.engine.choose(name),
      // An engine with a free listener refuses the scene for good.
      isRefused: () => this.engine.isLive && this.engine.full === 0,
      changed: () => events.changed(),
      stage: events.stage,
      interrupted: (isMissing) => events.interrupted(isMissing),
      picture: (picture) => events.picture(picture),
      ended: (reason) => events.ended(`${reason} Press Join to hear it again.`),
    }, this.refusal);
    this.sound = sound;
    sound.setHead(this.#head);
    this.#report = new ClientReport(this.engine, () => `${this.mode}-rendered`, () => 1000 * latencyOf(sound.context));
    events.say('Joining.');
    try {
      await sound.start();
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  stop() {
    this.#report?.end();
    this.#report = null;
    this.#unwatch();
    this.sound?.stop();
    this.sound = null;
    this.#measured = null;
    this.#numbers = silence;
  }

  end() {
    this.stop();
  }

  setHead(head) {
    this.#head = head;
    this.sound?.setHead(head);
    if (this.mode === 'client') {
      this.poses.offer(null);
      return;
    }
    this.poses.drop();
    this.#sendHead();
  }

  /** A head that trackers turn is that of the sound that this browser renders, too. */
  #follow() {
    const { engine } = this;
    if (engine.root === this.#root) return;
    this.#root = engine.root;
    this.#unwatch();
    this.#trackers = engine.root ? trackersOf(engine.root) : [];
    this.#pose = engine.own(roles.orientationEuler);
    this.#unwatch = this.#pose ? engine.values.watch(this.#pose.path, () => {
      const { orientation } = this;
      if (orientation) this.sound?.setHead(rotation(...orientation));
    }) : () => {};
  }

  #sendHead() {
    const node = this.sound && this.engine.own(roles.orientationQuaternion);
    if (node && node.parent.name === this.sound.name) this.engine.send(node, this.#head, 'ffff');
  }

  /** Sends the head again: the listener has just appeared. */
  refresh() {
    this.#report?.tell();
    this.#follow();
    if (!this.orientation) this.#sendHead();
  }

  setListener(settings) {
    setListenerOf(this.engine, settings);
  }

  /** Settings as the engine has them; null without a listener. */
  get listener() {
    return listenerOf(this.engine);
  }

  get statistics() {
    const { short, long, facts } = listenWords(this.#numbers);
    return { line: this.sound ? `${short}${long}` : 'Not joined', facts: this.sound ? facts : [] };
  }
}

/** Sets method and gain in decibels of the chosen listener, as far as they are given. */
export function setListenerOf(engine, { method, gain }) {
  if (method !== undefined) engine.send(engine.own(roles.method), [method], 's');
  if (gain !== undefined) engine.send(engine.own(roles.listenerGain), [gain]);
}

/** Method, gain and the methods to choose from of the chosen listener, as the engine has them; null without one. */
export function listenerOf(engine) {
  const method = engine.own(roles.method);
  if (!method) return null;
  return {
    method: engine.values.of(method)[0], methods: method.choices ?? [], gain: engine.values.number(engine.own(roles.listenerGain)),
  };
}
