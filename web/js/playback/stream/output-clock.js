/** Looks whose median counts. */
const looks = 9;

/** The clock of an audio context beside that of the page, which counts from 1970. */
export class OutputClock {
  #offsets = [];

  constructor(context, page = globalThis) {
    this.context = context;
    this.page = page;
  }

  /** Compares the clocks. */
  look() {
    this.#offsets.push(this.#measure());
    if (this.#offsets.length > looks) this.#offsets.shift();
  }

  /** Context's time minus the page's, in seconds, for the sound that leaves the speakers at that time; null before the first look. */
  get offset() {
    const sorted = [...this.#offsets].sort((one, two) => one - two);
    return sorted[sorted.length >> 1] ?? null;
  }

  #measure() {
    const { context, page } = this;
    const { contextTime, performanceTime } = context.getOutputTimestamp?.() ?? {};
    const now = page.performance.timeOrigin / 1000;
    if (performanceTime > 0 && contextTime > 0) return contextTime - performanceTime / 1000 - now;
    return context.currentTime - (context.outputLatency || context.baseLatency || 0) - page.performance.now() / 1000 - now;
  }
}
