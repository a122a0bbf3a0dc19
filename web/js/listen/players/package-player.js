import { methods } from '../../../renderer/renderer.js';
import { SceneSound } from '../packages/scene-sound.js';
import { outputOf } from './player-delays.js';

/** Plays a packed recording, rendered by this browser without a network. `ListenPage` documents the members of players. */
export class PackagePlayer {
  mode = 'offline';
  #isWanted = false;
  #opening = null;
  #listener = {};
  #head = [1, 0, 0, 0];
  #problem = null;
  #isRepeated = true;
  #wantedSeconds = 0;
  #stage = null;

  /**
   * @param source a `RecordingPackage`
   * @param events as every player's; also `played(report)` with every report of the renderer, and `stage` as `KeptStage.take`
   */
  constructor(source, events) {
    this.source = source;
    this.events = events;
    this.sound = null;
    /** The renderer's latest report. */
    this.report = null;
    this.words = { go: 'Play', end: 'Pause' };
    this.methods = methods;
  }

  /** The reason why this browser cannot render; null when it can. */
  static get refusal() {
    if (!window.isSecureContext) return `browsers allow AudioWorklets on secure pages only, and ${location.origin} has no TLS`;
    if (!globalThis.WebAssembly) return 'this browser has no WebAssembly';
    return globalThis.AudioWorkletNode ? null : 'this browser has no AudioWorklet';
  }

  get title() {
    return this.source.index.title;
  }

  get modeText() {
    return 'Rendered in this browser: the network adds no delay to head movements.';
  }

  get context() {
    return this.sound?.context ?? null;
  }

  get delays() {
    const delay = outputOf(this.context) + (this.report?.latency ?? 0) / this.source.index.rate;
    return { sound: delay, head: delay };
  }

  get azimuths() {
    return this.source.index.array.azimuths;
  }

  async start() {
    this.#isWanted = true;
    this.#problem = null;
    this.#opening ??= this.#open();
    try {
      await this.#opening;
      await this.sound?.context.resume();
    } catch (error) {
      this.#opening = null;
      this.#isWanted = false;
      throw error;
    }
    this.sound?.post({ playing: this.#isWanted });
  }

  stop() {
    this.#isWanted = false;
    this.sound?.post({ playing: false });
  }

  end() {
    this.#isWanted = false;
    this.#close(this.sound);
    this.sound = null;
  }

  #close(sound) {
    sound?.close();
    this.#stage?.close();
    this.#stage = null;
  }

  /** Starts the renderer. Controls that were used meanwhile count. */
  async #open() {
    const { rate } = this.source.index;
    // At once: a tap allows sound for a short time only.
    this.#stage = this.events.stage(rate, (isMissing) => this.events.interrupted(isMissing), () => this.#isWanted);
    const { context } = this.#stage;
    const sound = new SceneSound(context, this.source, (report) => this.#take(report));
    this.events.say('Loading the first seconds.');
    try {
      if (context.sampleRate !== rate) throw new Error(`This browser cannot play sound at ${rate / 1000} kHz, the rate of the recording.`);
      await sound.open();
    } catch (error) {
      this.#close(sound);
      throw error;
    }
    if (this.#stage === null) {
      // The player has ended meanwhile.
      sound.close();
      return;
    }
    this.sound = sound;
    sound.post({ loop: this.#isRepeated, ...this.#listener, head: this.#head });
    if (this.#wantedSeconds > 0) sound.seek(this.#wantedSeconds);
  }

  setHead(head) {
    this.#head = head;
    this.sound?.post({ head });
  }

  /** @param listener method by name, gain in decibels; -60 and less are silent */
  setListener({ method, gain }) {
    const settings = {};
    if (method !== undefined) settings.method = method;
    if (gain !== undefined) settings.listener = { gain: gain <= -60 ? 0 : 10 ** (gain / 20) };
    Object.assign(this.#listener, settings);
    this.sound?.post(settings);
  }

  seek(seconds) {
    this.#wantedSeconds = seconds;
    this.#problem = null;
    this.sound?.seek(seconds);
  }

  repeat(isOn) {
    this.#isRepeated = isOn;
    this.sound?.post({ loop: isOn });
  }

  #take(report) {
    if (report.problem !== undefined) {
      // Null: the chunk that was missing has come.
      this.#problem = report.problem;
      if (report.problem) this.events.say(report.problem, true);
      return;
    }
    if (!this.sound) return;
    if (report.hasEnded) {
      this.events.ended('The recording has ended.', false);
      return;
    }
    this.report = report;
    // A problem stays until it is over, so that the words do not change back and forth.
    if (this.#isWanted && !this.#problem) {
      this.events.say(report.isWaiting ? 'Waiting for the network.' : 'Playing. Turn the head by dragging the ring, or with the phone.');
    }
    this.events.played(report);
    this.events.changed();
  }

  get statistics() {
    if (!this.report) return { line: 'No network needed', facts: [] };
    const { waits, dropped, latency } = this.report;
    const { rate } = this.source.index;
    return {
      line: this.report.isWaiting ? 'Waiting for the network' : `${this.report.held.length} s ready`,
      facts: [
        `renderer ${((1000 * latency) / rate).toFixed(1)} ms, ${rate / 1000} kHz`,
        `${waits} interruptions, ${dropped} chunks refused`,
      ],
    };
  }
}
