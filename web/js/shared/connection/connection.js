import { decode, encodeMessage, messagesOf } from './osc.js';
import { SenderClock, pageClock } from './sender-clock.js';
import { TreeCopy } from './tree-copy.js';
import { readTree } from '../tree/tree.js';

/** Silence in milliseconds after which the engine is asked for a value. */
const askAfter = 900;
/** Silence in milliseconds after which the values shown count as stale. */
const staleAfter = 1500;
/** Silence in milliseconds after which the socket is closed. */
const lostAfter = 8000;
/** Age in milliseconds up to which a sent message may be the cause of an error. */
const suspectFor = 3000;
/** Time in milliseconds in which an answer has to be read: a slow phone needs seconds for the tree of a large session. */
const answerWithin = 15_000;
/** Time in milliseconds between two offers of this page's clock to the engine. */
const clockEvery = 10000;
const firstDelay = 250;
const longestDelay = 4000;
/** Status with which the engine closes a connection that another client has ended. */
const closedByClient = 4002;

/** Delay before the next attempt, from the one before. */
export const backoff = (delay) => Math.min(longestDelay, delay * 2);

/**
 * Connection to the engine: reads the tree, opens the WebSocket, listens to all values, and reconnects by itself.
 *
 * States: `connecting`, `live`, `stale` (open but silent) and `lost` (waiting for the next attempt).
 * `world` holds everything outside: fetch, socket(url), now, setTimer, clearTimer, origin; and clock, seconds since 1900.
 */
export class Connection {
  /**
   * @param world functions of the browser, or a test's in their place
   * @param values last known values, which messages are written to
   * @param handlers { state, tree, error, locked }: called with the state, a new tree, a text, and when a token is required
   * @param interests returns the paths to listen to; all by default
   * @param scope the part of the tree that is wanted, such as a `ListenerScope`, which may tell the paths; null for the whole
   */
  constructor(world, values, handlers, interests = () => ['/'], scope = null) {
    this.interests = interests;
    this.world = world;
    this.values = values;
    this.handlers = handlers;
    this.state = 'connecting';
    this.reason = '';
    this.delay = firstDelay;
    this.frames = 0;
    this.lastFrame = 0;
    this.retryAt = 0;
    this.attempt = 0;
    this.root = null;
    this.copy = new TreeCopy(world, scope);
    /** The attempt whose changes are being followed; 0 for none. */
    this.following = 0;
    this.socket = null;
    /** Paths that the socket listens to. */
    this.listening = new Set();
    /** Paths that are wanted. */
    this.wanted = [];
    this.timers = {};
    /** Time at which each address was sent, until a value of it has arrived. */
    this.sentAt = new Map();
    /** Time at which each address was last received or sent. */
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

  /** Milliseconds since the last message of the engine. */
  get silence() {
    return this.world.now() - this.lastFrame;
  }

  /** Sends one message; false when the socket is not open. */
  send(address, values, types) {
    return this.sendTogether([[address, values, types]]);
  }

  /** Sends several messages, each [address, values, types], as one packet; false when the socket is not open. */
  sendTogether(messages) {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(this.clock.timed(...messages.map((message) => encodeMessage(...message))));
    for (const [address] of messages) {
      this.sentAt.set(address, this.world.now());
      this.movedAt.set(address, this.world.now());
    }
    return true;
  }

  /** Requests a value, which the engine sends at once. */
  ask(node) {
    this.#command('LISTEN', node.path);
  }

  /** Shows that a listener is this client's own, which a login that may view may turn. */
  own(token) {
    this.#command('OWN', token);
  }

  /** Reads the tree again, for another scope. */
  readAgain() {
    if (!this.socket) return;
    this.copy.replace();
    this.#follow(this.attempt);
  }

  /** Tries now instead of after the delay. An attempt under way is abandoned, since it may lack the token. */
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
   * Reads the tree; on failure schedules another attempt.
   *
   * Values received by the socket before the tree arrives are newer than those in the tree, and are kept.
   */
  async #readTree(attempt) {
    const begin = this.world.now();
    try {
      const tree = await this.copy.read();
      if (attempt !== this.attempt) return false;
      if (tree.status === 401) {
        this.#lose(`The engine at ${this.world.origin} requires a token.`);
        this.handlers.locked?.();
        return false;
      }
      this.copy.keep(tree);
      this.#show((root) => this.values.load(root, (path) => this.movedAt.get(path) >= begin));
      return true;
    } catch (error) {
      if (attempt === this.attempt) this.#lose(this.#explain(error));
      return false;
    }
  }

  /** Follows the changes of the tree, one after another: a tree that is read beside a newer part of it would arrive without that part. */
  async #follow(attempt) {
    if (this.following === attempt) return;
    this.following = attempt;
    try {
      while (attempt === this.attempt && this.copy.isOld) await this.#readChanges(attempt);
    } finally {
      if (this.following === attempt) this.following = 0;
    }
  }

  /**
   * Takes the changes of the tree since it was read: only what was added is read.
   *
   * After other changes, or many, the whole tree is read.
   */
  async #readChanges(attempt) {
    const begin = this.world.now();
    const found = await this.copy.readChanges();
    if (!found) return this.#readTree(attempt);
    if (attempt !== this.attempt) return false;
    if (!this.copy.apply(found)) return this.#readTree(attempt);
    this.#show(() => {
      for (const [, json] of found.branches) this.values.load(readTree(json), (path) => this.movedAt.get(path) >= begin);
    });
    return true;
  }

  /** Shows the current tree, once its values are loaded. */
  #show(load) {
    this.root = readTree(this.copy.json);
    this.wanted = this.copy.scope?.interests?.(this.copy.json) ?? this.interests(this.root);
    this.#listen();
    load(this.root);
    this.handlers.tree(this.root);
  }

  #explain(error) {
    const { origin } = this.world;
    if (error instanceof SyntaxError)
      return `The server at ${origin} is not the engine, because its answer is not JSON. Check the address.`;
    if (error?.message?.startsWith('it answered')) return `The engine at ${origin} did not send its parameters: ${error.message}.`;
    return `The engine at ${origin} does not answer. Check that “vestibule serve” is running.`;
  }

  #openSocket(attempt) {
    const { version } = this.copy;
    const query = version ? `?namespace=${encodeURIComponent(version)}` : '';
    const socket = this.world.socket(`${this.world.origin.replace(/^http/, 'ws')}/${query}`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      if (attempt !== this.attempt) return;
      this.listening = new Set();
      this.sentAt.clear();
      this.#listen();
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
      if (event?.code === closedByClient) {
        this.#lose(`This connection was closed by another client at ${origin}. Press “Try now” to connect again.`, false);
        return;
      }
      this.#lose(this.frames > 0
        ? `The engine at ${origin} closed the connection. Check that “vestibule serve” is still running.`
        : `The engine at ${origin} answers HTTP requests but refuses the WebSocket. A proxy in between may block it.`);
    };
  }

  /** Listens to the paths that are wanted, and to no others. */
  #listen() {
    if (this.socket?.readyState !== 1) return;
    for (const path of this.listening) if (!this.wanted.includes(path)) this.#command('IGNORE', path);
    for (const path of this.wanted) if (!this.listening.has(path)) this.#command('LISTEN', path);
    this.listening = new Set(this.wanted);
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
      this.handlers.error(`A message from the engine could not be read: ${error.message}.`);
    }
  }

  /**
   * Takes a value. The engine repeats none to the page that sent it: one that arrives behind it may be older, and would stay, so that
   * the engine is asked for the newest in its place.
   */
  #take(message) {
    if (this.clock.take(message, (answer) => this.socket.send(answer))) return;
    if (this.sentAt.delete(message.address)) {
      this.#command('LISTEN', message.address);
      return;
    }
    this.movedAt.set(message.address, this.world.now());
    this.values.set(message.address, message.values);
  }

  /** Offers this page's clock regularly, since clocks drift apart. */
  #offerClock() {
    const { offer } = this.clock;
    if (!offer) return;
    if (this.socket?.readyState === 1) this.socket.send(offer);
    this.#timer('clock', clockEvery, () => this.#offerClock());
  }

  #obey({ COMMAND: command, DATA: data }) {
    if (command === 'ERROR') {
      this.handlers.error(String(data));
      this.#verifySent();
    }
    if (this.copy.note(command, data)) this.#timer('tree', 50, () => this.#follow(this.attempt));
  }

  /** After an error, requests the values that were just sent, since they may have been refused. */
  #verifySent() {
    const now = this.world.now();
    for (const [address, time] of this.sentAt) if (now - time < suspectFor) this.#command('LISTEN', address);
    this.sentAt.clear();
  }

  /** Checks four times a second whether messages still arrive. */
  #watch() {
    this.#timer('watch', 250, () => this.#watch());
    if (this.state !== 'live' && this.state !== 'stale') return;
    if (this.silence >= lostAfter) {
      this.#lose(`The engine at ${this.world.origin} has been silent for ${lostAfter / 1000} s.`);
      return;
    }
    if (this.silence >= staleAfter && this.state === 'live') this.#enter('stale');
    // An idle engine sends nothing, but it answers LISTEN with the value at once.
    if (this.silence >= askAfter) this.#command('LISTEN', this.#anyScalar());
  }

  #anyScalar() {
    const scalar = [...(this.root?.all() ?? [])].find((node) => node.isReadable && node.type?.length === 1);
    return scalar?.path ?? '/';
  }

  /** Enters `lost` for a reason, and schedules another attempt unless `isRetried` is false. */
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
    this.handlers.state(state);
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

/** The browser's functions that a connection uses. */
export function browserWorld(page = window) {
  return {
    origin: page.location.origin,
    fetch: (path, options) => page.fetch(path, { ...options, signal: AbortSignal.timeout(answerWithin) }),
    socket: (url, protocol) => new page.WebSocket(url, protocol ?? []),
    now: () => page.performance.now(),
    clock: () => pageClock(page),
    setTimer: (action, delay) => page.setTimeout(action, delay),
    clearTimer: (timer) => page.clearTimeout(timer),
  };
}
