import { setText } from './element.js';

const words = { connecting: 'Connecting', live: 'Live', stale: 'Stale', lost: 'No connection' };
const spoken = {
  connecting: '', live: 'Connected to the engine.', stale: 'The engine is silent; what is shown is old.', lost: '',
};
/** A first attempt that takes longer than this is worth a word, in milliseconds. */
const patience = 1500;

/** Shows how the connection is: a word in the head of the page, and a banner when it is lost. */
export class Link {
  constructor(connection) {
    this.connection = connection;
    const part = (id) => document.getElementById(id);
    this.text = part('link-text');
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
    document.documentElement.dataset.link = state;
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
    setText(this.text, state === 'stale' ? `Stale for ${seconds(connection.silence)} s` : words[state]);
    this.banner.hidden = !(this.wasLost || (state === 'connecting' && performance.now() - this.since > patience));
    const left = connection.retryAt - performance.now();
    if (state === 'lost') setText(this.wait, left === Infinity ? '' : `Trying again in ${seconds(left)} s.`);
    else setText(this.wait, 'Trying now.');
    if (this.wasLost || state !== 'connecting') return;
    setText(this.reason, `Looking for the engine at ${connection.world.origin}.`);
  }
}
