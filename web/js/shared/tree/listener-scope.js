import { roles } from './roles.js';

const readable = 1;

/**
 * The part of the tree that the panel works with: all but the containers of network listeners, of which it has one at most.
 *
 * Hundreds of them come and go. The panel is built again for none but the chosen one, and receives the values of no other. The engine
 * leaves those with high numbers out of its lists, so that the chosen one is read by itself.
 */
export class ListenerScope {
  /** Number of wired listeners; infinite for an engine that has no others. */
  #wired = Infinity;
  /** Containers that hold one container for each listener, such as `/listener` and `/rack/listener`. */
  #families = [];

  /** @param chosen name of a network listener that is wanted; null or a wired one for none */
  constructor(chosen = null) {
    this.chosen = chosen;
  }

  /** Whether this is the name of a network listener. */
  isNetwork(name) {
    return Number(name) > this.#wired;
  }

  /**
   * Leaves the other network listeners out of a tree, and adds the chosen one.
   *
   * @param json the engine's tree, which is changed
   * @param read returns the JSON of a path, or null
   */
  async complete(json, read) {
    const all = [...nodes(json)];
    this.#wired = all.find((node) => node.TAGS?.includes(roles.listenerWired))?.VALUE?.[0] ?? Infinity;
    const listener = all.find((node) => children(node).some((child) => child.EXTENDED_TYPE?.includes(roles.orientationEuler)));
    if (this.#wired === Infinity || !listener) return json;
    const [parent, name] = listener.FULL_PATH.split('/').slice(-2);
    const families = all.filter((node) => node.FULL_PATH.endsWith(`/${parent}`) && node.CONTENTS?.[name]?.CONTENTS);
    this.#families = families.map((node) => node.FULL_PATH);
    const isMissing = this.isNetwork(this.chosen) && !families[0].CONTENTS[this.chosen];
    const own = isMissing ? await Promise.all(families.map((family) => read(`${family.FULL_PATH}/${this.chosen}`))) : [];
    families.forEach((family, index) => {
      for (const each of Object.keys(family.CONTENTS)) {
        if (this.isNetwork(each) && each !== this.chosen) delete family.CONTENTS[each];
      }
      if (own[index]) family.CONTENTS[this.chosen] = own[index];
    });
    return json;
  }

  /** The paths to listen to for a completed tree: the highest ones that hold no listener which was left out. */
  interests(json) {
    const path = json.FULL_PATH;
    const begin = path === '/' ? path : `${path}/`;
    if (!this.#families.some((family) => family === path || family.startsWith(begin))) return isSilent(json) ? [] : [path];
    return children(json).flatMap((child) => this.interests(child));
  }

  /** Whether a change of the tree at a path matters for the part. */
  concerns(path) {
    const name = this.#listenerAt(path);
    return name === null || !this.isNetwork(name) || name === this.chosen;
  }

  /** Call when what was at a path has gone: the chosen listener is not read any more if it was this one. */
  remove(path) {
    if (this.#listenerAt(path) === this.chosen && this.#families.some((family) => path === `${family}/${this.chosen}`)) this.chosen = null;
  }

  /** Name of the listener that a path belongs to; null for none. */
  #listenerAt(path) {
    const family = this.#families.find((each) => path.startsWith(`${each}/`));
    return family ? path.slice(family.length + 1).split('/')[0] : null;
  }
}

const children = (node) => Object.values(node.CONTENTS ?? {});

/** Whether nothing can be heard of a node: a command. */
const isSilent = (node) => !node.CONTENTS && (node.ACCESS & readable) === 0;

function* nodes(json) {
  yield json;
  for (const child of children(json)) yield* nodes(child);
}
