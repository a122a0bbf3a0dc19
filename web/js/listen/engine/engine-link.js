import { ownListener } from '../../playback/own-listener.js';
import { Connection } from '../../shared/connection/connection.js';
import { showConnection } from '../../shared/connection/connection-status.js';
import { roles } from '../../shared/tree/roles.js';
import { listenersOf } from '../../shared/tree/tree.js';
import { Values } from '../../shared/tree/values.js';
import { ListeningScope } from './listening-scope.js';

/** Frames per second of the scene, which is sent as Opus. */
const sceneRate = 48_000;

/** The page's connection to the engine: the listener that it is, or whose head it turns, and its values. */
export class EngineLink {
  #answered;
  #hasAnswered = null;
  #root = null;
  /** The latest token that was shown, and on which connection. */
  #claimed = null;

  /**
   * @param world functions of the browser, as for `Connection`
   * @param events `locked()`, `error(text)`, `state(state)`, and `changed()` when the tree or the listener is another
   * @param isView whether the page shows the recording's video
   */
  constructor(world, events, isView = false) {
    Object.assign(this, { world, events });
    this.values = new Values();
    this.scope = new ListeningScope(isView);
    this.#answered = new Promise((done) => { this.#hasAnswered = done; });
    this.connection = new Connection(world, this.values, {
      state: (state) => this.#enter(state),
      tree: (root) => {
        this.#root = root;
        events.changed();
      },
      error: (text) => events.error(text),
      locked: () => {
        events.locked();
        this.#hasAnswered();
      },
    }, undefined, this.scope);
  }

  #enter(state) {
    showConnection(state);
    if (state === 'live' || state === 'lost') this.#hasAnswered();
    this.events.state(state);
  }

  /** Connects; resolves when it is clear whether the engine is there. */
  async open() {
    this.connection.start();
    await this.#answered;
  }

  get isLive() {
    return this.connection.state === 'live' || this.connection.state === 'stale';
  }

  /** The tree as it was read last; null before. */
  get root() {
    return this.#root;
  }

  /** The first node with a role; null without one. */
  find(role) {
    return this.#root?.find(role) ?? null;
  }

  /** Listeners whose heads this page may turn: those of the sound device, and one on the network that was chosen. */
  get heads() {
    if (!this.#root) return [];
    const { scope } = this;
    return listenersOf(this.#root).filter(({ name }) => !scope.isNetwork(name) || (scope.isTracker && name === scope.chosen));
  }

  /** The reason why this page cannot get a listener of its own; null when it can. */
  get refusal() {
    const most = this.values.number(this.find(roles.listenerMost));
    if (most <= this.values.number(this.find(roles.listenerWired))) {
      return 'the engine was started without network listeners (--network-listeners 0)';
    }
    return null;
  }

  /** The reason why the engine sends no scene; null when it does, and while that is not known. */
  get sceneRefusal() {
    const rate = this.values.number(this.find(roles.rate));
    return rate > 0 && rate !== sceneRate
      ? `the sound device of the engine runs at ${rate / 1000} kHz, and the scene is sent at ${sceneRate / 1000} kHz only` : null;
  }

  /** Number of listeners when all are in use; 0 while there is another one. */
  get full() {
    const most = this.values.number(this.find(roles.listenerMost));
    return this.isLive && this.values.number(this.find(roles.listenerCount)) >= most ? most : 0;
  }

  /** The listener that was chosen; null when there is none. */
  get listener() {
    return this.#root ? listenersOf(this.#root).find(({ name }) => name === this.scope.chosen) ?? null : null;
  }

  /** A node of the chosen listener by its role. */
  own(role) {
    return this.listener?.container.find(role) ?? null;
  }

  /** Chooses the listener whose values are of interest. */
  choose(name, isTracker = false) {
    if (this.scope.chosen === name && this.scope.isTracker === isTracker) return;
    this.scope.chosen = name;
    this.scope.isTracker = isTracker;
    this.claim();
    this.connection.readAgain();
  }

  /** Shows that the chosen listener is this page's own, once on each connection. */
  claim() {
    const own = ownListener();
    if (!own || own.name !== this.scope.chosen || this.scope.isTracker || !this.isLive) return;
    const claim = `${own.token} ${this.connection.attempt}`;
    if (claim === this.#claimed) return;
    this.#claimed = claim;
    this.connection.own(own.token);
  }

  /** Sends values to a node; false when there is no node or no connection. */
  send(node, values, types = node?.type) {
    if (!node || !this.connection.send(node.path, values, types)) return false;
    // The engine informs all other clients.
    if (node.isReadable) this.values.set(node.path, values);
    return true;
  }
}
