import { element } from '../shared/drawing/element.js';
import { peerName } from './camera-words.js';
import { StoppedPeers } from './stopped-peers.js';

const part = (id) => document.getElementById(id);

/** The peers that the user has stopped, each with a button that lets it receive again. */
export class StoppedList {
  #peers = new StoppedPeers();
  /** Identities that may receive again and are not here, so that the engine cannot be informed yet. */
  #pardoned = new Set();

  /** @param events `{ send(message), present() }`: sends a message to the engine; returns the peers that are here */
  constructor(events) {
    this.events = events;
  }

  get identities() {
    return this.#peers.identities;
  }

  add(peer) {
    this.#peers.add(peer);
    this.#pardoned.delete(peer.identity);
    this.#show();
  }

  /** The engine has begun again, and knows only those that an offer lists. */
  restart() {
    this.#pardoned.clear();
  }

  /** Reports to the engine those that have come back since they may receive again. */
  refresh() {
    for (const { identity, peer } of this.events.present()) {
      if (this.#pardoned.delete(identity)) this.events.send({ type: 'pardon', peer });
    }
  }

  #allow(identity) {
    this.#peers.remove(identity);
    this.#pardoned.add(identity);
    this.refresh();
    this.#show();
  }

  #show() {
    const { list } = this.#peers;
    part('stopped-part').hidden = list.length === 0;
    part('stopped').replaceChildren(...list.map((peer) => {
      const name = peerName(peer);
      const again = element('button', { type: 'button', class: 'plain', onclick: () => this.#allow(peer.identity) }, 'Allow again');
      again.setAttribute('aria-label', `Allow again: ${name}`);
      return element('li', { class: 'camera-row' }, element('span', {}, name), again);
    }));
  }
}
