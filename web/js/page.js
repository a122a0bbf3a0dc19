/**
 * What every part of the page is given: the tree, the values, a way to watch them and a way to send.
 *
 * One page belongs to one shape of the tree; `end()` stops everything that it watches.
 */
export class Page {
  constructor(root, values, deliver) {
    this.root = root;
    this.values = values;
    this.deliver = deliver;
    this.ends = [];
  }

  /** Calls `observer` now and at every change; a node that is missing is watched in silence. */
  watch(node, observer) {
    if (node) this.ends.push(this.values.watch(node.path, observer));
  }

  /** Something to do when the page ends. */
  onEnd(action) {
    this.ends.push(action);
  }

  /** Sends from the hand: the engine does not echo, so what is sent is shown here too. */
  send(node, values) {
    this.sendTogether([[node, values]]);
  }

  /** Sends pairs of a node and its values as one packet, which is one step for Undo. */
  sendTogether(pairs) {
    const typed = pairs.map(([node, values]) => [node, values, values.length === node.type.length ? node.type : undefined]);
    if (!this.deliver(...typed)) return;
    for (const [node, values] of pairs) if (node.isReadable && values.length > 0) this.values.set(node.path, values);
  }

  end() {
    for (const end of this.ends) end();
    this.ends = [];
  }
}
