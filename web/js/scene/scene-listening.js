import { Attempts } from '../playback/attempts.js';
import { keepOwnListener, join, ownListener } from '../playback/own-listener.js';
import { GroupClock } from '../playback/stream/group-clock.js';
import { opusRefusal } from '../playback/stream/opus-decoder.js';
import { keepRunning } from '../shared/sound/keep-running.js';
import { contextOf } from '../shared/sound/sound-stage.js';

const folder = new URL('../../renderer/', import.meta.url);
/** Status with which the engine closes a connection that another client has ended. */
const closedByClient = 4002;

/**
 * The reason why this browser cannot render the scene itself; null when it can.
 *
 * @param world the global object of the page
 */
export async function sceneRefusal(world = globalThis) {
  if (typeof world.WebAssembly !== 'object') return 'this browser runs no WebAssembly';
  if (!world.isSecureContext || typeof world.AudioWorkletNode !== 'function') {
    return 'browsers allow AudioWorklets on secure pages only: https or this machine';
  }
  return opusRefusal(world);
}

/** Path of the scene for a listener; the tab's own listener proves by its token that it is. */
export function scenePath(name, storage = undefined) {
  const own = ownListener(storage);
  if (own && (name === own.name || name === join)) return `/audio/scene/join?token=${own.token}`;
  return `/audio/scene/${name}`;
}

/**
 * The sound of one listener, rendered by this browser from the scene that the engine sends: between the head and the ears there is no
 * network.
 *
 * Has the interface of `ListenerSound`, and `setHead`. Calls `report(numbers)` about ten times a second, `settings(listener)` with the
 * engine's settings of the listener, `waiting(closings)` with the number of connections in a row that have ended without a format,
 * `joined(name)`, `interrupted(isMissing)`, `picture({ weights, microphones })`
 * and `ended(reason, isFinal)`; final is what somebody wanted, so that nothing else may take its place.
 */
export class SceneListening {
  /**
   * @param profile `full` or `low`: the best quality that the engine may send
   * @param [place] `{ context, output, isNarrow }`: where the sound is played, otherwise it opens a context of its own; and whether the
   *   network was too narrow before, so that the low quality comes first
   */
  constructor(name, rate, handlers, profile = 'full', place = null) {
    this.place = place;
    this.name = name;
    this.rate = rate;
    this.handlers = handlers;
    this.profile = profile;
    this.volume = 1;
    this.head = [1, 0, 0, 0];
    this.attempts = new Attempts();
    /** Connections in a row that have ended without any format. */
    this.closings = 0;
    this.isStopped = false;
    this.format = null;
    this.link = null;
    this.counts = { bytes: 0, refused: 0 };
    this.unkeep = () => {};
  }

  /** Starts the sound. Call it from a click, since browsers allow sound only then. */
  async start() {
    this.context = this.place?.context ?? contextOf(this.rate);
    const [bytes] = await Promise.all([
      this.#module(), this.context.resume(), this.context.audioWorklet.addModule(new URL('scene-worklet.js', import.meta.url)),
    ]);
    if (this.isStopped) return;
    this.bytes = bytes;
    this.gain = new GainNode(this.context, { gain: this.volume ** 2 });
    this.gain.connect(this.place?.output ?? this.context.destination);
    if (!this.place) this.unkeep = keepRunning(this.context, () => !this.isStopped, this.handlers.interrupted);
    this.#connect();
  }

  async #module() {
    const answer = await fetch(new URL('renderer.wasm', folder));
    if (!answer.ok) throw new Error('This server has no renderer for browsers: build it with “make renderer”.');
    return answer.arrayBuffer();
  }

  #connect() {
    if (this.isStopped) return;
    const path = scenePath(this.name);
    const wishes = `profile=${this.profile}${this.place?.isNarrow ? '&start=low' : ''}`;
    const address = `${location.origin.replace(/^http/, 'ws')}${path}${path.includes('?') ? '&' : '?'}${wishes}`;
    const { port1, port2 } = new MessageChannel();
    this.node = new AudioWorkletNode(this.context, 'vestibule-scene', {
      numberOfInputs: 0, outputChannelCount: [2], processorOptions: { bytes: this.bytes, rate: this.rate },
    });
    this.node.onprocessorerror = () => this.#fail('The renderer has stopped. Reload the page.');
    this.node.port.onmessage = ({ data }) => this.#fromWorklet(data);
    this.node.connect(this.gain);
    this.#post({ port: port1, head: this.head }, [port1]);
    this.group = new GroupClock(this.context, (origin) => this.#post({ origin }));
    this.worker = new Worker(new URL('scene-worker.js', import.meta.url), { type: 'module' });
    this.worker.onmessage = ({ data }) => this.#fromWorker(data);
    this.worker.postMessage({ address, port: port2 }, [port2]);
  }

  #post(message, transfer = []) {
    this.node?.port.postMessage(message, transfer);
  }

  #fromWorker({ format, link, message, problem, undecodable, closed, counts }) {
    if (format) this.#begin(format);
    if (link) {
      this.link = link;
      this.group?.note(link);
    }
    if (message?.type === 'listener') {
      this.#post({ listener: message });
      this.handlers.settings?.(message);
    }
    if (counts) this.counts = counts;
    if (problem) console.warn(`scene: ${problem}`);
    if (undecodable) this.#fail(`The decoder failed: ${undecodable}.`);
    if (closed) {
      if (closed.code === closedByClient) this.#fail('Another client ended the sound of this listener.', true);
      else this.#again();
    }
  }

  #begin(format) {
    this.format = format;
    this.attempts.succeed();
    this.closings = 0;
    this.#post({ scale: format.scale });
    if (!format.token) return;
    keepOwnListener(format);
    const name = String(format.listener);
    if (name === this.name) return;
    this.name = name;
    this.handlers.joined?.(name);
  }

  #fromWorklet({ numbers, picture, problem }) {
    if (picture) this.handlers.picture?.(picture);
    if (problem) console.warn(`scene: ${problem}`);
    if (!numbers || !this.format) return;
    this.worker?.postMessage({ numbers });
    const { profile, bitrate, frames, rate } = this.format;
    this.handlers.report({
      ...numbers, refused: numbers.refused + this.counts.refused,
      stream: {
        format: 'scene', profile, bitrate, milliseconds: (1000 * frames) / rate, reason: null, link: this.link, bytes: this.counts.bytes,
      },
    });
  }

  /** Turns the head: a quaternion w x y z. It is heard with the next block. */
  setHead(head) {
    this.head = head;
    this.#post({ head });
  }

  /** Sets the volume, 0 to 1, which is squared to follow loudness. */
  setVolume(volume) {
    this.volume = volume;
    this.gain?.gain.setTargetAtTime(volume ** 2, this.context.currentTime, 0.02);
  }

  /** Connects again after a delay; the context stays, since only a click may start another. */
  #again() {
    if (this.isStopped) return;
    this.closings += 1;
    this.#drop();
    this.handlers.waiting?.(this.closings);
    if (this.isStopped) return;
    this.attempts.again(() => this.#connect());
  }

  /** Leaves the network to other sound: nothing more is received. */
  pause() {
    this.attempts.end();
    this.worker?.terminate();
    this.worker = null;
    this.group?.end();
    this.group = null;
  }

  /** Receives again after a pause. */
  resume() {
    this.#drop();
    this.#connect();
  }

  /** Time at which sample 0 is to be played, on the context's clock; null for as early as the network allows. */
  follow(origin) {
    this.#post({ follow: origin });
  }

  /** Starts again at that time; for sound that is not heard yet. */
  align(origin) {
    this.#post({ place: origin });
  }

  #drop() {
    this.pause();
    this.#post({ end: true });
    this.node?.disconnect();
    this.node = null;
    this.format = null;
    this.link = null;
  }

  #fail(reason, isFinal = false) {
    if (this.isStopped) return;
    this.stop();
    this.handlers.ended(reason, isFinal);
  }

  stop() {
    this.isStopped = true;
    this.attempts.end();
    this.unkeep();
    this.#drop();
    if (!this.place) this.context?.close();
    this.context = null;
    this.gain = null;
  }
}
