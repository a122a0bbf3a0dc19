/** Milliseconds from an answer to the next question, at least and at most. */
const pause = 300;
const longestPause = 1500;
/** Pause in times of the last question's duration: a slow engine is asked less often. */
const rest = 2;
/** Rows of a page. */
export const rows = 10;

/**
 * Pages of the engine's table of listeners, read again and again between `start` and `stop`.
 *
 * `world` is that of `Connection`. Calls `shown(page)` with every page and `failed(text)` when one could not be read.
 */
export class ListenerPages {
  #timer = undefined;
  #isOn = false;
  /** Number of the last question; the answers to earlier ones are out of date. */
  #question = 0;

  /** @param place `{ from, search }`, kept up to date; with `count` for pages of another length, and the least `pause` */
  constructor(world, place, shown, failed) {
    this.world = world;
    this.place = place;
    this.shown = shown;
    this.failed = failed;
  }

  start() {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#ask();
  }

  stop() {
    this.#isOn = false;
    this.#question += 1;
    this.world.clearTimer(this.#timer);
  }

  /** Shows another part of the table at once. */
  go(place) {
    Object.assign(this.place, place);
    if (this.#isOn) this.#ask();
  }

  #pauseAfter(begin) {
    return Math.min(longestPause, Math.max(this.place.pause ?? pause, rest * (this.world.now() - begin)));
  }

  async #ask() {
    this.world.clearTimer(this.#timer);
    const question = ++this.#question;
    const begin = this.world.now();
    try {
      const { from, search, count = rows } = this.place;
      const response = await this.world.fetch(
        `/listeners?from=${from}&count=${count}&search=${encodeURIComponent(search)}`, { cache: 'no-store' });
      if (!response.ok) throw new Error(`the engine answered ${response.status}`);
      const page = await response.json();
      if (question !== this.#question) return;
      if (page.listeners.length === 0 && page.matching > 0) {
        // The last rows have gone.
        this.go({ from: Math.floor((page.matching - 1) / count) * count });
        return;
      }
      this.shown(page);
    } catch (error) {
      if (question !== this.#question) return;
      this.failed(`The table of listeners could not be read: ${error.message}.`);
    }
    this.#timer = this.world.setTimer(() => this.#ask(), this.#pauseAfter(begin));
  }
}
