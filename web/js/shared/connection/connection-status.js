import { setAttribute, setText } from '../drawing/element.js';

const stateWords = { connecting: 'Connecting', live: 'Live', stale: 'Stale', lost: 'No connection' };
const spoken = {
  connecting: '', live: 'Connected to the engine.', stale: 'The engine does not respond. The values shown are outdated.', lost: '',
};

/** Shows a state of the connection in the page's header, in its usual words or in others. */
export function showConnection(state, words = stateWords[state]) {
  setAttribute(document.documentElement, 'data-link', state);
  setText(document.getElementById('link-text'), words);
}

/** Duration in milliseconds after which a first attempt gets a banner. */
const longAttempt = 1500;

/** State of the connection: a word in the header, and a banner while the connection is lost. */
export class ConnectionStatus {
  constructor(connection) {
    this.connection = connection;
    const part = (id) => document.getElementById(id);
    this.spoken = part('link-spoken');
    this.banner = part('banner');
    this.reason = part('banner-reason');
    this.wait = part('banner-wait');
    part('banner-retry').addEventListener('click', () => connection.retry());
    this.since = performance.now();
    this.wasLost = false;
    setInterval(() => this.#tick(), 100);
  }

  /** Called with every state that the connection enters. */
  show(state) {
    this.since = performance.now();
    if (state === 'lost') this.wasLost = true;
    if (state === 'live') this.wasLost = false;
    setText(this.spoken, spoken[state]);
    if (state === 'lost') setText(this.reason, this.connection.reason);
    this.#tick();
  }

  #tick() {
    const { connection } = this;
    const { state } = connection;
    const seconds = (milliseconds) => (Math.max(0, milliseconds) / 1000).toFixed(1);
    showConnection(state, state === 'stale' ? `Stale for ${seconds(connection.silence)} s` : undefined);
    this.banner.hidden = !(this.wasLost || (state === 'connecting' && performance.now() - this.since > longAttempt));
    const left = connection.retryAt - performance.now();
    if (state === 'lost') setText(this.wait, left === Infinity ? '' : `Trying again in ${seconds(left)} s.`);
    else setText(this.wait, 'Trying now.');
    if (this.wasLost || state !== 'connecting') return;
    setText(this.reason, `Connecting to the engine at ${connection.world.origin}.`);
  }
}
