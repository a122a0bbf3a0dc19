/**
 * A node of any listener, by the role of that of the listener that is shown.
 *
 * @param shown a `Listener` of the tree
 * @param {{number: number}} listener any other one, which the tree need not hold
 */
export function nodeOf(shown, { number }, role) {
  const node = shown.container.find(role);
  const parent = shown.container.path.slice(0, -shown.name.length);
  return Object.create(node, { path: { value: `${parent}${number}${node.path.slice(shown.container.path.length)}` } });
}
