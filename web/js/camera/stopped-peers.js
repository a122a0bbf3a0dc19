/** Identities that one offer may list. */
const most = 64;

/**
 * Peers that the user has stopped, for the life of this page: the engine forgets them with the connection of the page, so that they are
 * part of each offer.
 */
export class StoppedPeers {
  #peers = new Map();

  add({ identity, paired, name = '' }) {
    if (!identity) return;
    this.#peers.delete(identity);
    this.#peers.set(identity, { paired, name });
    if (this.#peers.size <= most) return;
    // An identity without pairing ends with its connection; one of a paired browser comes back.
    const [oldest] = [...this.#peers].find(([, { paired }]) => !paired) ?? [...this.#peers][0];
    this.#peers.delete(oldest);
  }

  /** Forgets one, which may receive again. */
  remove(identity) {
    this.#peers.delete(identity);
  }

  /** All of them as `{ identity, paired, name }`, the latest last. */
  get list() {
    return [...this.#peers].map(([identity, peer]) => ({ identity, ...peer }));
  }

  get identities() {
    return [...this.#peers.keys()];
  }
}
