import { graft, prune, topmost } from '../tree/tree-changes.js';

/** Commands of the engine that say that the tree has changed. */
const treeCommands = new Set(['PATH_CHANGED', 'PATH_ADDED', 'PATH_REMOVED', 'PATH_RENAMED']);
/** Added parts of the tree up to which each is read by itself; for more of them the whole tree is read once. */
const mostBranches = 16;

/** This page's copy of the engine's tree, as JSON, and the changes that it lacks. */
export class TreeCopy {
  /** Whether what was at a path was added (true) or removed since the tree was read; the last change of each path. */
  #changes = new Map();
  /** Whether the whole tree has to be read, because something else has changed. */
  #isReplaced = false;

  /**
   * @param world functions of the browser: fetch
   * @param scope the part of the tree that is wanted, such as a `ListenerScope`; null for the whole
   */
  constructor(world, scope) {
    this.world = world;
    this.scope = scope;
    this.json = null;
    /** Version of the namespace that was read, which the engine compares with its own when the socket opens; null when it sent none. */
    this.version = null;
  }

  /** Whether the tree has changed since it was read. */
  get isOld() {
    return this.#isReplaced || this.#changes.size > 0;
  }

  /** Notes that the whole tree has to be read, as for another scope. */
  replace() {
    this.#isReplaced = true;
  }

  /** Notes the change that a command announces; false for one that says nothing about the wanted part of the tree. */
  note(command, data) {
    const isElsewhere = typeof data === 'string' && this.scope?.concerns(data) === false;
    if (command === 'PATH_REMOVED') this.scope?.remove?.(data);
    if (!treeCommands.has(command) || isElsewhere) return false;
    if (typeof data === 'string' && (command === 'PATH_ADDED' || command === 'PATH_REMOVED')) {
      this.#changes.delete(data);
      this.#changes.set(data, command === 'PATH_ADDED');
    } else {
      this.#isReplaced = true;
    }
    return true;
  }

  /**
   * Reads the whole tree, without keeping it: changes that are noted meanwhile follow it.
   *
   * Returns { status, json, version }, without the latter two for an engine that requires a token; throws for other failures.
   */
  async read() {
    this.#changes.clear();
    this.#isReplaced = false;
    const response = await this.#fetch('/');
    if (response.status === 401) return { status: 401 };
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const json = await response.json();
    await this.scope?.complete(json, (path) => this.#readBranch(path));
    return { status: response.status, json, version: response.headers?.get('namespace-version') ?? null };
  }

  keep({ json, version }) {
    [this.json, this.version] = [json, version];
  }

  /** Reads what was added since the tree was read; null when the whole tree has to be read instead. */
  async readChanges() {
    const changes = this.#changes;
    this.#changes = new Map();
    const added = topmost([...changes].filter(([, isAdded]) => isAdded).map(([path]) => path));
    if (this.#isReplaced || !this.json || added.length > mostBranches) return null;
    try {
      const branches = await Promise.all(added.map(async (path) => [path, await this.#readBranch(path)]));
      // A path that is gone in the meantime has no JSON.
      return { changes, branches: branches.filter(([, json]) => json) };
    } catch {
      return null;
    }
  }

  /** Applies changes that were read; false when they do not fit, and the whole tree has to be read. */
  apply({ changes, branches }) {
    for (const [path, isAdded] of changes) if (!isAdded) prune(this.json, path);
    return branches.every(([path, json]) => graft(this.json, path, json));
  }

  #fetch(path) {
    return this.world.fetch(path, { headers: { Accept: 'application/json' }, cache: 'no-store' });
  }

  /** The JSON of a part of the tree; null when there is none. */
  async #readBranch(path) {
    const response = await this.#fetch(path);
    return response.ok ? response.json() : null;
  }
}
