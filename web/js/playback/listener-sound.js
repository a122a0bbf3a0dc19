import { Attempts } from './attempts.js';
import { keepRunning } from '../shared/sound/keep-running.js';
import { contextOf } from '../shared/sound/sound-stage.js';
import { keepOwnListener, soundPath } from './own-listener.js';
import { prepare, soundOutput } from './sound-output.js';
import { GroupClock } from './stream/group-clock.js';
import { opusRefusal } from './stream/opus-decoder.js';
import { StreamReader } from './stream/stream-reader.js';

/** Numbers of the player while nothing plays. */
export const silence = Object.freeze({
  playing: false, rms: 0, packets: 0, dropped: 0, late: 0, refused: 0, underruns: 0, overruns: 0, concealedMilliseconds: 0,
  longestGapMilliseconds: 0,  bufferMilliseconds: 0, packetMilliseconds: 0, targetMilliseconds: 0, drift: 0, off: null, stream: null,
});

/** Milliseconds without a packet after which the connection counts as lost. */
const silentAfter = 6000;
/** Milliseconds of a clock that pages and workers share. */
const clock = () => performance.timeOrigin + performance.now();
/** Status with which the engine closes a connection that another client has ended. */
const closedByClient = 4002;

/**
 * Sound of one listener, from the engine's socket to the speakers. Connects again when the engine was restarted.
 *
 * Calls `report(numbers)` about ten times a second, `waiting()` when the connection is lost, `joined(name)` when the engine has given
 * another listener than `name`, `settings(listener)`, if wanted, with the engine's settings of it, `interrupted(isMissing)` when the
 * system takes the sound away or gives it back, and `ended(reason, isFinal)` when it stops by itself; final is what somebody wanted.
 */
export class ListenerSound {
  /**
   * @param [place] `{ context, output, isNarrow }`: where the sound is played, otherwise it opens a context of its own; and whether the
   *   network is known to be narrow
   */
  constructor(name, likelyRate, handlers, place = null) {
    this.place = place;
    this.name = name;
    this.likelyRate = likelyRate;
    this.handlers = handlers;
    this.context = null;
    this.output = null;
    this.volume = 1;
    this.isStopped = false;
    this.attempts = new Attempts();
    this.lastPacket = 0;
    this.reader = null;
    this.group = null;
    /** The reason why the sound is not compressed; null when it is. */
    this.plainReason = null;
    this.unkeep = () => {};
  }

  /** Starts the sound. Call it from a click, since browsers allow sound only then. */
  async start() {
    const [refusal] = await Promise.all([opusRefusal(), this.#openContext(this.likelyRate)]);
    this.plainReason = refusal;
    if (this.isStopped) return;
    this.watch = setInterval(() => this.#watch(), 1000);
    this.#connect();
  }

  #connect() {
    if (this.isStopped) return;
    this.lastPacket = performance.now();
    const path = soundPath(this.name);
    const wishes = [`format=${this.plainReason ? 's16le' : 'opus'}`, ...(this.handlers.settings ? ['settings=1'] : []),
      ...(this.place?.isNarrow ? ['start=low'] : [])].join('&');
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${path}${path.includes('?') ? '&' : '?'}${wishes}`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    const send = (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    };
    const reader = new StreamReader({
      send,
      begin: (format) => this.#begin(format),
      sound: (start, left, right) => this.output?.push(start, left, right),
      link: (link) => this.group?.note(link),
      problem: (text) => console.warn(`audio: ${text}`),
      other: (message) => { if (message.type === 'listener') this.handlers.settings?.(message); },
      undecodable: (reason) => {
        this.plainReason = `the decoder failed: ${reason}`;
        send('{"type":"stream","format":"s16le"}');
      },
    }, clock);
    this.reader = reader;
    socket.onmessage = ({ data }) => {
      if (typeof data !== 'string') this.lastPacket = performance.now();
      reader.take(data);
    };
    socket.onclose = ({ code }) => {
      if (code === closedByClient) this.#fail('Another client ended the sound of this listener.', true);
      else this.#again();
    };
  }

  /** Connects again after a delay; the context stays, since only a click may start another. */
  #again() {
    if (this.isStopped) return;
    this.#drop();
    this.handlers.waiting?.();
    this.attempts.again(() => this.#connect());
  }

  /** Ends a connection that is open but silent, as after a change of the network. */
  #watch() {
    if (this.socket && performance.now() - this.lastPacket > silentAfter) this.#again();
  }

  #drop() {
    if (this.socket) this.socket.onclose = this.socket.onmessage = null;
    this.socket?.close();
    this.socket = null;
    this.reader?.end();
    this.reader = null;
    this.group?.end();
    this.group = null;
    this.output?.end();
    this.output?.node.disconnect();
    this.output = null;
  }

  /** Sets the volume, 0 to 1, which is squared to follow loudness. */
  setVolume(volume) {
    this.volume = volume;
    if (this.gain) this.gain.gain.setTargetAtTime(volume ** 2, this.context.currentTime, 0.02);
  }

  stop() {
    this.isStopped = true;
    this.attempts.end();
    clearInterval(this.watch);
    this.unkeep();
    this.#drop();
    if (!this.place) this.context?.close();
    this.context = null;
    this.gain = null;
  }

  /** Time at which sample 0 is to be played, on the context's clock; null for as early as the network allows. */
  follow(origin) {
    this.output?.follow(origin);
  }

  /** Starts again at that time; for sound that is not heard yet. */
  align(origin) {
    this.output?.place(origin);
  }

  async #openContext(rate) {
    this.unkeep();
    if (this.place) {
      this.context = this.place.context;
    } else {
      this.context = contextOf(rate);
      this.unkeep = keepRunning(this.context, () => !this.isStopped, (isMissing) => this.handlers.interrupted?.(isMissing));
    }
    await prepare(this.context);
  }

  /** Takes the format of the packets that follow: the socket's first frame, and another one at each change. */
  async #begin(format) {
    if (!['s16le', 'opus'].includes(format.format) || format.channels !== 2) {
      this.#fail(`The engine sends “${format.format}” with ${format.channels} channels; this page plays s16le and opus, stereo.`);
      return;
    }
    this.attempts.succeed();
    if (format.token) this.#keep(format);
    if (this.output || this.isOpening) return;
    this.isOpening = true;
    if (!this.place && this.context.sampleRate !== format.rate) {
      await this.context.close();
      await this.#openContext(format.rate);
    }
    this.isOpening = false;
    if (this.isStopped || !this.socket) return;
    const { context } = this;
    this.gain = new GainNode(context, { gain: this.volume ** 2 });
    const output = soundOutput(context, format.rate, (numbers) => this.#report(numbers));
    this.output = output;
    output.node.connect(this.gain).connect(this.place?.output ?? context.destination);
    this.group = new GroupClock(context, (origin) => output.follow(origin));
  }

  #report(numbers) {
    const { reader } = this;
    if (!reader?.format) return;
    reader.report(numbers);
    const { format, bitrate = 0, frames, rate, reason } = reader.format;
    this.handlers.report({
      ...numbers,
      stream: {
        format, bitrate, milliseconds: (1000 * frames) / rate, reason: format === 'opus' ? null : this.plainReason ?? reason ?? null,
        link: reader.link,
      },
    });
  }

  /** Remembers the listener of its own that the engine has given. */
  #keep(format) {
    keepOwnListener(format);
    const name = String(format.listener);
    if (name === this.name) return;
    this.name = name;
    this.handlers.joined?.(name);
  }

  #fail(reason, isFinal = false) {
    if (this.isStopped) return;
    this.stop();
    this.handlers.ended(reason, isFinal);
  }
}
