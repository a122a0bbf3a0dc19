/** Identities that one offer may list. */
const most = 64;

/**
 * Peers that the user has stopped, for the life of this page: the engine forgets them with the connection of the page, so that they are
 * part of each offer.
 */
export class StoppedPeers {
  #peers = new Map();

  add({ identity, paired }) {
    if (!identity) return;
    this.#peers.delete(identity);
    this.#peers.set(identity, paired);
    if (this.#peers.size <= most) return;
    // An identity without pairing ends with its connection; one of a paired browser comes back.
    const [oldest] = [...this.#peers].find(([, isPaired]) => !isPaired) ?? [...this.#peers][0];
    this.#peers.delete(oldest);
  }

  get identities() {
    return [...this.#peers.keys()];
  }
}
