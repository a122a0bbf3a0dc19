/** Changes of a tree's JSON, so that only what was added has to be read. */

const isBelow = (path, container) => path.startsWith(container === '/' ? container : `${container}/`);

/** The paths that lie below none of the others. */
export const topmost = (paths) => paths.filter((path) => !paths.some((other) => isBelow(path, other) && path !== other));

const namesOf = (path) => path.split('/').filter(Boolean);

/** The node at a path; undefined when there is none. */
const nodeAt = (json, names) => names.reduce((node, name) => node?.CONTENTS?.[name], json);

/** Puts the JSON of a node at its path; false when the container is missing. */
export function graft(json, path, branch) {
  const names = namesOf(path);
  const parent = nodeAt(json, names.slice(0, -1));
  if (names.length === 0 || !parent?.CONTENTS) return false;
  parent.CONTENTS[names.at(-1)] = branch;
  return true;
}

/** Takes away what is at a path. */
export function prune(json, path) {
  const names = namesOf(path);
  const parent = nodeAt(json, names.slice(0, -1));
  if (parent?.CONTENTS) delete parent.CONTENTS[names.at(-1)];
}
