import { element, setText } from '../../shared/drawing/element.js';
import { PackageDownload } from './package-download.js';
import { PackageStore } from './package-store.js';
import { sentence } from '../../shared/numbers/sentence.js';

/** Files that are loaded when the sound begins. */
const rendererFiles = ['renderer.wasm', 'renderer.js', 'methods.js', 'constants.js', 'scene-playback.js', 'worklet.js'];

/** Words about files of the page that could not be stored. */
const keptWords = (missing) => `The page itself may not open without a network: ${missing.length} of its files could not be stored, `
  + `${missing.slice(0, 1).map((url) => url.split('/').pop()).join('')} among them. Play once more with a network to store them.`;

const part = (id) => document.getElementById(id);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Downloads for use without a network: the current recording, and a list of all that are stored. */
export class OfflineList {
  #begun = 0;
  #end = new AbortController();
  /** Whether this page opens without a network. */
  isKept = false;
  #isTold = false;

  /**
   * @param source the present `RecordingPackage`
   * @param store its `PackageStore`, or null where the browser has none
   */
  constructor(source, store, view) {
    this.source = source;
    this.view = view;
    part('download').hidden = store === null;
    setText(part('offline-words'), store
      ? `Stores this recording (${megabytes(source.bytes)}) in the browser. Afterwards this page opens and plays without a network.`
      : 'This browser cannot store recordings in this window. Private windows cannot store anything.');
    if (!store) return;
    this.download = new PackageDownload(source, (state) => this.#show(state));
    part('download').addEventListener('click', () => this.#toggle(), { signal: this.#end.signal });
  }

  /** Another recording is shown from now on. */
  end() {
    this.#end.abort();
    this.download?.pause();
  }

  async #toggle() {
    if (this.download.isRunning) {
      this.download.pause();
      return;
    }
    this.#begun = performance.now();
    navigator.storage.persist?.();
    part('download-line').hidden = false;
    setText(part('download'), 'Pause download');
    if (await this.download.run()) this.keepPage();
    await this.refresh();
  }

  #show({ done, all, fetched, isRunning, problem }) {
    part('download-share').value = done / all;
    const seconds = (performance.now() - this.#begun) / 1000;
    const left = fetched > 0 ? Math.ceil(((all - done) * seconds) / fetched) : null;
    const rest = done < all && isRunning && left !== null ? `, about ${left} s left` : '';
    setText(part('download-words'), problem ? `${sentence(problem)} Press Resume download to continue.`
      : `${megabytes(done)} of ${megabytes(all)}${rest}`);
    if (!isRunning) setText(part('download'), done < all ? 'Resume download' : 'Check the download');
  }

  /** Lists the stored recordings. */
  async refresh() {
    const stored = await PackageStore.list();
    part('stored').replaceChildren(...stored.map((each) => element('li', {},
      element('span', {}, `${each.title}, ${megabytes(each.bytes)}${each.isComplete ? '' : ', incomplete'}`),
      element('button', {
        type: 'button', class: 'plain', 'aria-label': `Delete ${each.title}`, onclick: () => this.#remove(each),
      }, 'Delete'))));
  }

  async #remove({ url }) {
    const isPresent = this.download && url === this.source.store.url;
    // A file that is being written would bring the folder back.
    if (isPresent) await this.download.pause();
    await new PackageStore(url).remove();
    if (isPresent) {
      part('download-line').hidden = true;
      setText(part('download'), 'Download');
    }
    await this.refresh();
  }

  /** Follows the reports of the service worker about the page. */
  #hear() {
    if (this.#isTold) return;
    this.#isTold = true;
    navigator.serviceWorker.addEventListener('message', ({ data }) => {
      if (typeof data?.isKept !== 'boolean') return;
      this.isKept = data.isKept;
      part('kept-words').hidden = data.isKept;
      if (!data.isKept) setText(part('kept-words'), keptWords(data.missing ?? []));
    }, { signal: this.#end.signal });
  }

  /** Lets a service worker of this page alone keep it, so that it opens without a network. */
  async keepPage() {
    if (!navigator.serviceWorker) return;
    const { pathname } = location;
    // A folder's own page has two addresses.
    const folder = pathname.replace(/index\.html$/, '');
    const pages = folder.endsWith('/') ? [folder, `${folder}index.html`] : [pathname];
    try {
      this.#hear();
      const worker = new URL('../../../listen-worker.js', import.meta.url);
      await navigator.serviceWorker.register(worker, { type: 'module', scope: pages[0] });
      // The engine's short address leads to the page.
      if (pathname.startsWith('/panel/')) await navigator.serviceWorker.register(worker, { type: 'module', scope: '/listen' });
      const { active } = await navigator.serviceWorker.ready;
      const files = performance.getEntriesByType('resource').map(({ name }) => name)
        .filter((name) => new URL(name).origin === location.origin && !name.includes('/recordings/'));
      const renderer = rendererFiles.map((name) => new URL(`../../../renderer/${name}`, import.meta.url).href);
      active.postMessage({ keep: [...pages.map((page) => location.origin + page), ...renderer, ...files] });
    } catch (error) {
      // The page still plays while there is a network.
      this.isKept = false;
      part('kept-words').hidden = false;
      setText(part('kept-words'),
        `This page cannot open without a network, because the browser does not store it: ${sentence(error.message)}`);
    }
  }
}
