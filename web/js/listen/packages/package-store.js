import { problemOf } from './recording-package.js';
import { StoreWriter } from './store-writer.js';

/** Folder of all stored packages in the origin's private file system. */
const folder = 'recordings';

/** Name of a package's folder: its address without what a file name cannot have. */
const nameOf = (url) => encodeURIComponent(url).replace(/\*/g, '%2A');

/** For browsers whose pages cannot write. */
const writer = new StoreWriter();

/** Packages that were stored for use without a network, in the origin private file system. */
export class PackageStore {
  /** @param url address of the package's folder */
  constructor(url, storage = navigator.storage) {
    this.url = url;
    this.storage = storage;
  }

  /** The store for a package; null where the browser cannot store files, or refuses to, as in private windows. */
  static async open(url, storage = globalThis.navigator?.storage) {
    try {
      await storage.getDirectory();
      return new PackageStore(url, storage);
    } catch {
      return null;
    }
  }

  /** All stored packages that can be played: [{ url, title, bytes, isComplete }]; none where the browser stores no files. */
  static async list(storage = globalThis.navigator?.storage) {
    try {
      return await PackageStore.#all(storage);
    } catch {
      return [];
    }
  }

  static async #all(storage) {
    const found = [];
    const root = await (await storage.getDirectory()).getDirectoryHandle(folder, { create: true });
    for await (const [name, handle] of root.entries()) {
      if (handle.kind !== 'directory') continue;
      const store = new PackageStore(decodeURIComponent(name), storage);
      const index = await store.index();
      if (problemOf(index)) continue;
      const sizes = await store.sizes();
      found.push({
        url: store.url, title: index.title, bytes: index.chunks.reduce((sum, { file }) => sum + (sizes.get(file) ?? 0), 0),
        isComplete: index.chunks.every(({ file, bytes }) => sizes.get(file) === bytes),
      });
    }
    return found;
  }

  async #folder(create) {
    const root = await (await this.storage.getDirectory()).getDirectoryHandle(folder, { create: true });
    return root.getDirectoryHandle(nameOf(this.url), { create });
  }

  /** The stored index, or null. */
  async index() {
    const bytes = await this.read('index.json');
    try {
      return bytes && JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return null;
    }
  }

  /** The bytes of a stored file, or null. */
  async read(file) {
    try {
      const handle = await (await this.#folder(false)).getFileHandle(file);
      return await (await handle.getFile()).arrayBuffer();
    } catch {
      return null;
    }
  }

  /** Stores a file. It replaces a former one when it is complete; where a worker writes it, one that was interrupted is damaged. */
  async write(file, bytes) {
    const handle = await (await this.#folder(true)).getFileHandle(file, { create: true });
    if (!handle.createWritable) {
      await writer.write([folder, nameOf(this.url)], file, bytes);
      return;
    }
    const stream = await handle.createWritable();
    await stream.write(bytes);
    await stream.close();
  }

  /** Bytes that may still be stored; null where the browser does not report it. */
  async free() {
    try {
      const { quota, usage } = await this.storage.estimate();
      return Number.isFinite(quota - usage) ? Math.max(0, quota - usage) : null;
    } catch {
      return null;
    }
  }

  /** Sizes of all stored files by name. */
  async sizes() {
    const sizes = new Map();
    try {
      for await (const [name, handle] of (await this.#folder(false)).entries()) {
        if (handle.kind === 'file') sizes.set(name, (await handle.getFile()).size);
      }
    } catch {
      // Nothing is stored.
    }
    return sizes;
  }

  /** Deletes the package. */
  async remove() {
    const root = await (await this.storage.getDirectory()).getDirectoryHandle(folder, { create: true });
    await root.removeEntry(nameOf(this.url), { recursive: true });
  }
}
