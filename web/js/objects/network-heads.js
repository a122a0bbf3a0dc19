import { headingOf } from '../shared/numbers/angles.js';
import { ListenerPages } from '../listeners/listener-pages.js';

/** Rows that the engine sends at a time, at most. */
const pageLength = 200;

/**
 * Heads of the listeners on the network, from the engine's table. It is read page after page while `element` can be seen.
 *
 * `all` holds `{ number, name, heading, place }` of each head: degrees, and metres to the front, to the left and up.
 */
export class NetworkHeads {
  all = [];
  #coming = [];

  /**
   * @param world that of `Connection`
   * @param isShown tells of a listener's number, as a text, whether it is drawn already
   * @param changed called when `all` has changed
   */
  constructor(world, isShown, changed) {
    this.isShown = isShown;
    this.changed = changed;
    this.pages = new ListenerPages(world, { from: 0, search: '', count: pageLength }, (page) => this.take(page), () => {});
  }

  /** Reads the table while an element is in view. */
  watch(element) {
    let isInView = false;
    this.look = () => (isInView && !document.hidden ? this.pages.start() : this.pages.stop());
    this.observer = new IntersectionObserver((entries) => {
      isInView = entries.at(-1).isIntersecting;
      this.look();
    });
    this.observer.observe(element);
    document.addEventListener('visibilitychange', this.look);
  }

  end() {
    this.pages.stop();
    this.observer?.disconnect();
    document.removeEventListener('visibilitychange', this.look);
  }

  /** Takes a page of the table; after the last one the heads change together. */
  take({ listeners, from, matching }) {
    if (from === 0) this.#coming = [];
    for (const { number, name, pose, front, place, isWired } of listeners) {
      if (!isWired && !this.isShown(String(number))) this.#coming.push({ number, name, heading: headingOf(pose[0], front), place });
    }
    const next = from + listeners.length;
    this.pages.place.from = listeners.length > 0 && next < matching ? next : 0;
    if (this.pages.place.from > 0) return;
    this.all = this.#coming;
    this.changed();
  }
}
