import { allMethods } from '../../renderer/methods.js';

/** Every method in the order in which one would try them: the newest first, and last those that need an HRTF. */
const inOrder = [...allMethods].sort((one, other) => one.needsHRTF - other.needsHRTF || other.number - one.number);

/** The given names, methods first in the order of the list, then the others. */
export function offered(names) {
  const known = inOrder.map(({ name }) => name).filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))];
}

/** Name of a method for listeners; one that is not known keeps its own. */
export const methodTitle = (name) => allMethods.find((method) => method.name === name)?.title ?? name;
