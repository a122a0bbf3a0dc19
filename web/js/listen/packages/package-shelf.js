import { PackageStore } from './package-store.js';
import { RecordingPackage } from './recording-package.js';

/** Milliseconds after which a network that does not answer counts as none, if there are stored recordings. */
const deadline = 3000;

/** The packed recordings that this page can play: those beside it, and those that were stored. */
export class PackageShelf {
  #isLocked = false;
  /** [{ path, title }] */
  list = [];

  /** @param address of the folder with `list.json`, relative to this page */
  constructor(address) {
    this.url = new URL(address, location.href);
  }

  /** Lists the recordings. */
  async read() {
    let list = [];
    const stored = await PackageStore.list();
    try {
      if (this.url.origin === location.origin) {
        const answer = await fetch(new URL('list.json', this.url), stored.length > 0 ? { signal: AbortSignal.timeout(deadline) } : {});
        if (answer.ok) list = await answer.json();
        this.#isLocked = answer.status === 401;
      }
    } catch {
      // Without a network, those that were stored are left.
    }
    for (const { url, title } of stored) {
      if (!list.some(({ path }) => this.#address(path).href === url)) list.push({ path: url, title });
    }
    this.list = list;
  }

  #address(path) {
    return new URL(path.endsWith('/') ? path : `${path}/`, this.url);
  }

  /** Opens a recording: `{ source, store }`; the store is null where the browser has none. */
  async open(path) {
    if (this.url.origin !== location.origin) throw new Error('The recordings come from the same server as this page.');
    if (this.#isLocked) throw new Error('This server asks for a login: enter its token, or scan the code on the panel.');
    if (!path) {
      throw new Error('No recordings yet. Make one with “vestibule package”; docs/listening-in-a-browser.md explains where to put it.');
    }
    const url = this.#address(path);
    if (url.origin !== location.origin) throw new Error('A recording comes from the same server as this page.');
    const store = await PackageStore.open(url.href);
    return { source: await RecordingPackage.open(url, store), store };
  }
}
