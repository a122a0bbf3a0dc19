/**
 * Access of all cards and displays to the engine: the tree, the values, and functions to watch and to send.
 *
 * A page belongs to one shape of the tree; `end()` ends everything that it watches.
 */
export class Page {
  constructor(root, values, deliver) {
    this.root = root;
    this.values = values;
    this.deliver = deliver;
    this.ends = [];
    this.updates = [];
  }

  /** Calls `observer` now and at every change; does nothing for a missing node. */
  watch(node, observer) {
    if (node) this.ends.push(this.values.watch(node.path, observer));
  }

  /** Registers an action for the end of the page. */
  onEnd(action) {
    this.ends.push(action);
  }

  /** Registers an action for a new tree of the same shape, which it is called with. */
  onUpdate(action) {
    this.updates.push(action);
  }

  /** Takes a new tree of the same shape. */
  update(root) {
    this.root = root;
    for (const action of this.updates) action(root);
  }

  /** Sends values of a control. The engine does not echo them, so they are stored here as well. */
  send(node, values) {
    this.sendTogether([[node, values]]);
  }

  /** Sends pairs of a node and its values as one packet, which is one step of undo. */
  sendTogether(pairs) {
    const typed = pairs.map(([node, values]) => [node, values, values.length === node.type.length ? node.type : undefined]);
    if (!this.deliver(...typed)) {
      // Controls return to what is in force.
      for (const [node] of pairs) this.values.repeat(node.path);
      return;
    }
    for (const [node, values] of pairs) if (node.isReadable && values.length > 0) this.values.set(node.path, values);
  }

  end() {
    for (const end of this.ends) end();
    this.ends = [];
  }
}
