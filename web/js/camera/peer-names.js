/**
 * Names that distinguish peers: of several that are not paired and call themselves the same, the second becomes “Kitchen (2)”.
 * A peer keeps its name while it is there.
 */
export class PeerNames {
  /** Own and shown name by the number of the peer. */
  #shown = new Map();

  /** @returns the peers, with the names that are shown */
  distinct(peers) {
    const before = this.#shown;
    this.#shown = new Map();
    const taken = new Set();
    const show = ({ peer, name }, shown) => {
      this.#shown.set(peer, { name, shown });
      taken.add(shown);
    };
    const strangers = peers.filter(({ paired }) => !paired);
    for (const peer of strangers) if (before.get(peer.peer)?.name === peer.name) show(peer, before.get(peer.peer).shown);
    for (const peer of strangers) {
      let [shown, number] = [peer.name, 1];
      while (!this.#shown.has(peer.peer) && taken.has(shown)) shown = `${peer.name} (${number += 1})`;
      if (!this.#shown.has(peer.peer)) show(peer, shown);
    }
    return peers.map((peer) => ({ ...peer, name: this.#shown.get(peer.peer)?.shown ?? peer.name }));
  }
}
