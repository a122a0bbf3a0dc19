import { methods } from '../../../renderer/renderer.js';
import { keepRunning } from '../../shared/sound/keep-running.js';
import { SceneSound } from '../packages/scene-sound.js';

/** Plays a packed recording, which this browser renders: a turn of the head needs no network. `ListenPage` says what every player has. */
export class PackagePlayer {
  mode = 'offline';
  #isWanted = false;
  #opening = null;
  #listener = {};
  #head = [1, 0, 0, 0];
  #problem = null;
  #isRepeated = true;
  #wantedSeconds = 0;
  #unkeep = () => {};

  /**
   * @param source a `RecordingPackage`
   * @param told as every player's; also `played(report)` with every report of the renderer
   */
  constructor(source, told) {
    this.source = source;
    this.told = told;
    this.sound = null;
    /** The renderer's latest report. */
    this.report = null;
    this.words = { go: 'Play', end: 'Pause' };
    this.methods = methods;
  }

  /** The reason why this browser cannot render; null when it can. */
  static get refusal() {
    if (!window.isSecureContext) return `browsers render sound on secure pages only, and ${location.origin} has no TLS`;
    if (!globalThis.WebAssembly) return 'this browser has no WebAssembly';
    return globalThis.AudioWorkletNode ? null : 'this browser has no AudioWorklet';
  }

  get title() {
    return this.source.index.title;
  }

  get modeText() {
    return 'Rendered on this device: the recording is packed for browsers, so that turning needs no network.';
  }

  get context() {
    return this.sound?.context ?? null;
  }

  get delays() {
    const output = (this.context?.baseLatency ?? 0) + (this.context?.outputLatency ?? 0);
    return { sound: output, head: output };
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
    this.sound?.order({ playing: this.#isWanted });
  }

  stop() {
    this.#isWanted = false;
    this.sound?.order({ playing: false });
  }

  end() {
    this.#isWanted = false;
    this.#unkeep();
    this.sound?.close();
    this.sound = null;
  }

  /** Starts the renderer. Controls that were used meanwhile count. */
  async #open() {
    const context = new AudioContext({ sampleRate: this.source.index.rate, latencyHint: 'interactive' });
    // At once: a tap allows sound for a short time only.
    context.resume().catch(() => {});
    const sound = new SceneSound(context, this.source, (report) => this.#take(report));
    this.#unkeep = keepRunning(context, () => this.#isWanted, (isMissing) => this.told.interrupted(isMissing));
    this.told.say('Loading the first seconds.');
    try {
      await sound.open();
    } catch (error) {
      this.#unkeep();
      sound.close();
      throw error;
    }
    this.sound = sound;
    sound.order({ loop: this.#isRepeated, ...this.#listener, head: this.#head });
    if (this.#wantedSeconds > 0) sound.seek(this.#wantedSeconds);
  }

  setHead(head) {
    this.#head = head;
    this.sound?.order({ head });
  }

  /** @param listener method by name, gain in decibels; -60 and less are silent */
  setListener({ method, gain }) {
    const orders = {};
    if (method !== undefined) orders.method = method;
    if (gain !== undefined) orders.listener = { gain: gain <= -60 ? 0 : 10 ** (gain / 20) };
    Object.assign(this.#listener, orders);
    this.sound?.order(orders);
  }

  seek(seconds) {
    this.#wantedSeconds = seconds;
    this.#problem = null;
    this.sound?.seek(seconds);
  }

  repeat(isOn) {
    this.#isRepeated = isOn;
    this.sound?.order({ loop: isOn });
  }

  #take(report) {
    if (report.problem !== undefined) {
      // Null: the chunk that was missing has come.
      this.#problem = report.problem;
      if (report.problem) this.told.say(report.problem, true);
      return;
    }
    if (!this.sound) return;
    if (report.hasEnded) {
      this.told.ended('The recording has ended.', false);
      return;
    }
    this.report = report;
    // A problem stays until it is over, so that the words do not change back and forth.
    if (this.#isWanted && !this.#problem) {
      this.told.say(report.isWaiting ? 'Waiting for the network.' : 'Playing. Turn the head by dragging the ring, or with the phone.');
    }
    this.told.played(report);
    this.told.changed();
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
