import { listenWords } from '../../playback/listen-words.js';
import { silence } from '../../playback/listener-sound.js';
import { join } from '../../playback/own-listener.js';
import { roles } from '../../shared/tree/roles.js';
import { ClientReport } from '../engine/client-report.js';
import { AdaptiveSound } from './adaptive-sound.js';

/** Likely rate of the sound device; the engine tells the true one. */
const likelyRate = 48_000;

/** Plays a listener of this page's own, which this browser renders, or the engine. `ListenPage` says what every player has. */
export class EnginePlayer {
  #numbers = silence;
  #head = [1, 0, 0, 0];
  #report = null;

  /**
   * @param engine an `EngineLink`
   * @param {string | null} refusal why this browser cannot render the engine's scene
   * @param told as every player's
   */
  constructor(engine, refusal, told) {
    this.engine = engine;
    this.refusal = refusal;
    this.told = told;
    this.sound = null;
    this.words = { go: 'Join', end: 'Leave' };
    /** Whether a stop leaves the engine. */
    this.leaves = true;
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
    if (this.mode === 'client') return 'Rendered on this device, from the engine’s scene: turning the head needs no network.';
    return `Rendered by the engine: ${reason ?? 'the scene begins'}.`;
  }

  get context() {
    return this.sound?.context ?? null;
  }

  get azimuths() {
    return this.engine.values.of(this.engine.find(roles.microphoneAzimuth));
  }

  get delays() {
    const output = latencyOf(this.context);
    const { bufferMilliseconds, packetMilliseconds, stream } = this.#numbers;
    // The newest sound in the buffer left the engine half a packet ago on average.
    const sound = output + (bufferMilliseconds + packetMilliseconds / 2) / 1000;
    // The engine renders for a head that has travelled there, into packets that travel back.
    const trip = ((stream?.milliseconds ?? 0) + (stream?.link?.roundTrip ?? 0)) / 1000;
    return { sound, head: this.mode === 'client' ? output : sound + trip };
  }

  async start() {
    if (this.sound) return;
    const { told } = this;
    const sound = new AdaptiveSound(join, likelyRate, {
      report: (numbers) => {
        const wasPlaying = this.#numbers.playing;
        this.#numbers = numbers;
        if (numbers.playing !== wasPlaying) told.say(numbers.playing ? 'You are listening. Turn your head.' : 'Waiting for sound.');
        told.changed();
      },
      waiting: () => {
        this.#numbers = silence;
        const { full } = this.engine;
        told.say(full ? `All ${full} listeners of the engine are in use. This page joins when one is free.`
          : 'The engine does not answer. This page joins again by itself.', true);
        told.changed();
      },
      joined: (name) => this.engine.choose(name),
      changed: () => told.changed(),
      interrupted: (isMissing) => told.interrupted(isMissing),
      picture: (picture) => told.picture(picture),
      ended: (reason) => told.ended(`${reason} Press Join to hear it again.`),
    }, this.refusal);
    this.sound = sound;
    sound.setHead(this.#head);
    this.#report = new ClientReport(this.engine, () => `${this.mode}-rendered`, () => 1000 * latencyOf(sound.context));
    told.say('Joining.');
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
    this.sound?.stop();
    this.sound = null;
    this.#numbers = silence;
  }

  end() {
    this.stop();
  }

  setHead(head) {
    this.#head = head;
    this.sound?.setHead(head);
    this.#sendHead();
  }

  #sendHead() {
    const node = this.sound && this.engine.own(roles.orientationQuaternion);
    if (node && node.parent.name === this.sound.name) this.engine.send(node, this.#head, 'ffff');
  }

  /** Sends the head again: the listener has just appeared. */
  refresh() {
    this.#report?.tell();
    this.#sendHead();
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

/** Seconds from a context to the ear, as the browser reports them. */
const latencyOf = (context) => (context?.baseLatency ?? 0) + (context?.outputLatency ?? 0);

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
