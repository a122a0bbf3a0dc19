import { decode, encodeMessage, messagesOf } from './osc.js';
import { SenderClock, pageClock } from './sender-clock.js';
import { readTree } from './tree.js';

/** Silence after which the engine is asked for a sign of life, in milliseconds. */
export const askAfter = 900;
/** Silence after which what the page shows is called stale. */
export const staleAfter = 1500;
/** Silence after which the socket is given up. */
export const lostAfter = 8000;
/** A message sent this long before an error may be what it is about, in milliseconds. */
const suspectFor = 3000;
/** The engine is asked to ask for this page's clock, in milliseconds. */
const clockEvery = 10000;
const firstDelay = 250;
const longestDelay = 4000;
/** What says that the tree is another now. */
const treeCommands = new Set(['PATH_CHANGED', 'PATH_ADDED', 'PATH_REMOVED', 'PATH_RENAMED']);
/** With this status the engine says that somebody has put this page out by hand. */
const kicked = 4002;

/** The next delay before another try. */
export const backoff = (delay) => Math.min(longestDelay, delay * 2);

/**
 * The way to the engine: reads the tree, opens the WebSocket, listens to everything, and comes back by itself.
 *
 * States: `connecting`, `live`, `stale` (open but silent) and `lost` (waiting for another try).
 * `world` holds everything outside: fetch, socket(url), now, setTimer, clearTimer, origin; and clock, seconds since 1900.
 */
export class Connection {
  /**
   * @param world what the browser gives, or a test instead of it
   * @param values the shadow that frames are written to
   * @param told { state, tree, error, locked }: called with the state, a new tree, a text; when a token is asked for
   * @param interests what to listen to, paths of a tree; everything by default
   */
  constructor(world, values, told, interests = () => ['/']) {
    this.interests = interests;
    this.world = world;
    this.values = values;
    this.told = told;
    this.state = 'connecting';
    this.reason = '';
    this.delay = firstDelay;
    this.frames = 0;
    this.lastFrame = 0;
    this.retryAt = 0;
    this.attempt = 0;
    this.root = null;
    this.socket = null;
    this.timers = {};
    this.sentAt = new Map();
    /** When each address was last heard or sent. */
    this.movedAt = new Map();
    this.clock = new SenderClock(world.clock);
  }

  start() {
    this.#timer('watch', 250, () => this.#watch());
    return this.#connect();
  }

  stop() {
    this.attempt += 1;
    for (const name of Object.keys(this.timers)) this.#cancel(name);
    this.#dropSocket();
  }

  /** Milliseconds since the engine was last heard. */
  get silence() {
    return this.world.now() - this.lastFrame;
  }

  /** Sends one message; false when there is nobody to send it to. */
  send(address, values, types) {
    return this.sendTogether([[address, values, types]]);
  }

  /** Sends several messages, each [address, values, types], as one packet; false when there is nobody to send it to. */
  sendTogether(messages) {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(this.clock.timed(...messages.map((message) => encodeMessage(...message))));
    for (const [address] of messages) {
      this.sentAt.set(address, this.world.now());
      this.movedAt.set(address, this.world.now());
    }
    return true;
  }

  /** Asks for a value once more; it comes at once. */
  ask(node) {
    this.#command('LISTEN', node.path);
  }

  /** Tries now instead of at the end of the delay; a try that is under way, perhaps without the token that is known now, is given up. */
  retry() {
    if (this.state !== 'lost' && this.state !== 'connecting') return;
    this.#cancel('retry');
    this.#dropSocket();
    this.#connect();
  }

  async #connect() {
    const attempt = ++this.attempt;
    this.#enter('connecting');
    if (!(await this.#readTree(attempt)) || attempt !== this.attempt) return;
    this.#openSocket(attempt);
  }

  /**
   * Reads the tree; on failure schedules another try.
   *
   * While it is on its way values go on changing, and those of its making must not undo what has come since: everything is
   * listened to, so that what is newer still comes by the socket.
   */
  async #readTree(attempt) {
    const begin = this.world.now();
    try {
      const response = await this.world.fetch('/', { headers: { Accept: 'application/json' }, cache: 'no-store' });
      if (response.status === 401) {
        if (attempt === this.attempt) {
          this.#lose(`The engine at ${this.world.origin} asks for a token.`);
          this.told.locked?.();
        }
        return false;
      }
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      const root = readTree(await response.json());
      if (attempt !== this.attempt) return false;
      this.root = root;
      this.values.load(root, (path) => this.movedAt.get(path) >= begin);
      this.told.tree(root);
      return true;
    } catch (error) {
      if (attempt === this.attempt) this.#lose(this.#explain(error));
      return false;
    }
  }

  #explain(error) {
    const { origin } = this.world;
    if (error instanceof SyntaxError) return `What answers at ${origin} is not the engine: it sent no JSON.`;
    if (error?.message?.startsWith('it answered')) return `The engine at ${origin} gave no tree: ${error.message}.`;
    return `No answer from the engine at ${origin}; is “vestibule serve” running?`;
  }

  #openSocket(attempt) {
    const socket = this.world.socket(`${this.world.origin.replace(/^http/, 'ws')}/`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      if (attempt !== this.attempt) return;
      for (const path of this.interests(this.root)) this.#command('LISTEN', path);
      this.#offerClock();
      this.lastFrame = this.world.now();
      this.#enter('live');
    };
    socket.onmessage = (event) => {
      if (attempt === this.attempt) this.#receive(event.data);
    };
    socket.onclose = (event) => {
      if (attempt !== this.attempt) return;
      const { origin } = this.world;
      if (event?.code === kicked) {
        this.#lose(`Somebody ended this connection at ${origin}.`, false);
        return;
      }
      this.#lose(this.frames > 0
        ? `The engine at ${origin} ended the connection; is “vestibule serve” still running?`
        : `The engine at ${origin} answers, but not on its WebSocket.`);
    };
  }

  #command(command, data) {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify({ COMMAND: command, DATA: data }));
  }

  #receive(data) {
    this.lastFrame = this.world.now();
    this.frames += 1;
    this.delay = firstDelay;
    if (this.state === 'stale') this.#enter('live');
    try {
      if (typeof data === 'string') this.#obey(JSON.parse(data));
      else for (const message of messagesOf(decode(data))) this.#take(message);
    } catch (error) {
      this.told.error(`The engine sent something that cannot be read: ${error.message}.`);
    }
  }

  #take(message) {
    if (this.clock.take(message, (answer) => this.socket.send(answer))) return;
    this.movedAt.set(message.address, this.world.now());
    this.values.set(message.address, message.values);
  }

  /** Clocks run apart: the engine is told again and again where this one is. */
  #offerClock() {
    const { offer } = this.clock;
    if (!offer) return;
    if (this.socket?.readyState === 1) this.socket.send(offer);
    this.#timer('clock', clockEvery, () => this.#offerClock());
  }

  #obey({ COMMAND: command, DATA: data }) {
    if (command === 'ERROR') {
      this.told.error(String(data));
      this.#doubt();
    }
    if (treeCommands.has(command)) this.#timer('tree', 50, () => this.#readTree(this.attempt));
  }

  /** After an error: what was just sent may have been refused, so the true values are asked for. */
  #doubt() {
    const now = this.world.now();
    for (const [address, time] of this.sentAt) if (now - time < suspectFor) this.#command('LISTEN', address);
    this.sentAt.clear();
  }

  /** Runs four times a second: is anything still coming? */
  #watch() {
    this.#timer('watch', 250, () => this.#watch());
    if (this.state !== 'live' && this.state !== 'stale') return;
    if (this.silence >= lostAfter) {
      this.#lose(`The engine at ${this.world.origin} has been silent for ${lostAfter / 1000} s.`);
      return;
    }
    if (this.silence >= staleAfter && this.state === 'live') this.#enter('stale');
    // An idle engine has nothing new to say, but a value that is listened to again is sent at once.
    if (this.silence >= askAfter) this.#command('LISTEN', this.#signOfLife());
  }

  #signOfLife() {
    const scalar = [...(this.root?.all() ?? [])].find((node) => node.isReadable && node.type?.length === 1);
    return scalar?.path ?? '/';
  }

  /** Shows why there is no connection; tries again by itself unless that is unwanted. */
  #lose(reason, isRetried = true) {
    this.attempt += 1;
    this.#dropSocket();
    this.#cancel('tree');
    this.#cancel('clock');
    this.reason = reason;
    this.frames = 0;
    this.retryAt = isRetried ? this.world.now() + this.delay : Infinity;
    if (isRetried) this.#timer('retry', this.delay, () => this.#connect());
    this.delay = backoff(this.delay);
    this.#enter('lost');
  }

  #dropSocket() {
    const socket = this.socket;
    this.socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  #enter(state) {
    if (this.state === state && state !== 'lost') return;
    this.state = state;
    this.told.state(state);
  }

  #timer(name, delay, action) {
    this.#cancel(name);
    this.timers[name] = this.world.setTimer(action, delay);
  }

  #cancel(name) {
    if (this.timers[name] !== undefined) this.world.clearTimer(this.timers[name]);
    delete this.timers[name];
  }
}

/** What a browser page gives a connection. */
export function browserWorld(page = window) {
  return {
    origin: page.location.origin,
    fetch: (path, options) => page.fetch(path, { ...options, signal: AbortSignal.timeout(5000) }),
    socket: (url, protocol) => new page.WebSocket(url, protocol ?? []),
    now: () => page.performance.now(),
    clock: () => pageClock(page),
    setTimer: (action, delay) => page.setTimeout(action, delay),
    clearTimer: (timer) => page.clearTimeout(timer),
  };
}
