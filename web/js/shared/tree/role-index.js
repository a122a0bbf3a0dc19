/** The nodes of a tree by their roles, each list in the order of the tree. Pages look up hundreds of roles among thousands of nodes. */
export class RoleIndex {
  #nodes = new Map();

  /** Number of nodes added; the order of the next one. */
  size = 0;

  /** Adds a node with the next order. Nodes are added before those below them. */
  add(node) {
    node.order = this.size;
    this.size += 1;
    for (const role of node.roles) {
      const nodes = this.#nodes.get(role);
      if (nodes) nodes.push(node);
      else this.#nodes.set(role, [node]);
    }
  }

  /** The first node with this role whose order is at least `begin` and less than `end`; null when there is none. */
  first(role, begin, end) {
    const nodes = this.#nodes.get(role) ?? [];
    const node = nodes[this.#place(nodes, begin)];
    return node && node.order < end ? node : null;
  }

  /** All nodes with this role whose order is at least `begin` and less than `end`. */
  all(role, begin, end) {
    const nodes = this.#nodes.get(role) ?? [];
    return nodes.slice(this.#place(nodes, begin), this.#place(nodes, end));
  }

  /** Index of the first node whose order is at least `order`. */
  #place(nodes, order) {
    let [low, high] = [0, nodes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (nodes[middle].order < order) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
