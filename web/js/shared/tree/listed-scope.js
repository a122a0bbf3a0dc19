import { roles } from './roles.js';

/** Listeners that the engine's lists contain at most, unless more of them are wired (protocol/README.md). */
const mostListed = 32;

/** The whole tree, as the engine lists it: listeners with higher numbers come and go without anything being read. */
export class ListedScope {
  #most = Infinity;
  /** Containers that hold one container for each listener, such as `/listener` and `/rack/listener`. */
  #families = [];

  complete(json) {
    const containers = [...nodes(json)];
    const wired = containers.find((node) => node.TAGS?.includes(roles.listenerWired))?.VALUE?.[0];
    const listener = containers.find((node) => children(node).some((child) => child.EXTENDED_TYPE?.includes(roles.orientationEuler)));
    if (wired === undefined || !listener) return json;
    this.#most = Math.max(wired, mostListed);
    const [parent] = listener.FULL_PATH.split('/').slice(-2);
    this.#families = containers.filter((node) => node.CONTENTS && node.FULL_PATH.endsWith(`/${parent}`)).map((node) => node.FULL_PATH);
    return json;
  }

  /** Whether a change of the tree at a path matters. */
  concerns(path) {
    const family = this.#families.find((each) => path.startsWith(`${each}/`));
    const number = family ? Number(path.slice(family.length + 1).split('/')[0]) : NaN;
    return !(number > this.#most);
  }
}

const children = (node) => Object.values(node.CONTENTS ?? {});

function* nodes(json) {
  yield json;
  for (const child of children(json)) yield* nodes(child);
}
