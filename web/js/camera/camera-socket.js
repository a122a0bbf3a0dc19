import { decodeFrame } from './camera-wire.js';

/** Milliseconds between two attempts to connect. */
const retryDelay = 1000;
const path = '/camera/peers';

/**
 * The socket to the engine's relay of cameras; connects again by itself.
 *
 * `world` is that of `Connection`. `events` has `state(isOpen, { code, reason, wasOpen })`, `message(message)` for everything in words,
 * `frame(frame)`, and `locked()` when the engine wants a token.
 */
export class CameraSocket {
  #isWanted = false;

  /**
   * @param hello returns the first message
   * @param clock milliseconds of this page's clock
   */
  constructor(world, hello, clock, events) {
    this.world = world;
    this.hello = hello;
    this.clock = clock;
    this.events = events;
    this.socket = null;
    /** Number of this page among the peers; null without a connection. */
    this.peer = null;
  }

  start() {
    this.#isWanted = true;
    if (this.socket) return;
    const socket = this.world.socket(`${this.world.origin.replace(/^http/, 'ws')}${path}`);
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.send(this.hello());
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code, reason }) => {
      if (this.socket === socket) this.socket = null;
      const wasOpen = this.isOpen;
      this.peer = null;
      this.events.state(false, { code, reason, wasOpen });
      this.world.setTimer(() => this.#isWanted && this.start(), retryDelay);
    };
  }

  /**
   * Reason why the engine accepts no peer, as a sentence; empty when the connection failed for another reason. An engine that wants a
   * token is not asked again before `start`.
   */
  async refusal() {
    const response = await this.world.fetch(path, { cache: 'no-store' }).catch(() => null);
    if (response?.status === 401 && this.#isWanted && !this.isOpen) {
      this.stop();
      this.events.locked();
    }
    if (![404, 503].includes(response?.status)) return '';
    const text = (await response.text()).trim();
    return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
  }

  stop() {
    this.#isWanted = false;
    this.socket?.close();
  }

  #take(data) {
    if (typeof data !== 'string') {
      const frame = decodeFrame(data);
      if (frame) this.events.frame(frame);
      return;
    }
    const message = JSON.parse(data);
    if (message.type === 'time') {
      const now = this.clock();
      this.send({ type: 'time', id: message.id, received: now, answered: now });
      return;
    }
    if (message.type === 'hello') {
      this.peer = message.peer;
      this.events.state(true);
    }
    this.events.message(message);
  }

  get isOpen() {
    return this.peer !== null;
  }

  /** Bytes that have been sent and have not left this browser. */
  get waiting() {
    return this.socket?.bufferedAmount ?? 0;
  }

  /** Sends a message; false without a connection. */
  send(message) {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(message instanceof Uint8Array ? message : JSON.stringify(message));
    return true;
  }
}
