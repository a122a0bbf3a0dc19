import { outputDelay } from '../../shared/sound/output-delay.js';

/** Milliseconds between two looks at the output's clock, and looks whose median counts. */
const interval = 200;
const looks = 9;

/**
 * The time of sample 0 on the clock of an audio context, for sound that plays together with that of other pages.
 *
 * The engine tells when its sample 0 was, by this page's clock, and how much later the group plays; the context tells when its sound
 * leaves the speakers, and a measurement with the microphone how much later than that it does.
 */
export class GroupClock {
  /** @param {function(number | null)} follow receives the time in seconds of the context; null without a group */
  constructor(context, follow, page = globalThis, extra = () => outputDelay()) {
    this.extra = extra;
    this.context = context;
    this.follow = follow;
    this.page = page;
    this.link = null;
    this.offsets = [];
    this.isOn = false;
    this.timer = page.setInterval(() => this.look(), interval);
  }

  /** Takes the engine's latest message about the connection. */
  note(link) {
    this.link = link;
    this.look();
  }

  /** Compares the clocks. */
  look() {
    const isWanted = this.link?.group > 0 && Number.isFinite(this.link.origin);
    if (!isWanted) {
      if (this.isOn) this.follow(null);
      this.isOn = false;
      return;
    }
    this.offsets.push(this.#offset());
    if (this.offsets.length > looks) this.offsets.shift();
    const sorted = [...this.offsets].sort((one, two) => one - two);
    this.isOn = true;
    this.follow((this.link.origin + this.link.group) / 1000 + sorted[sorted.length >> 1] - this.extra());
  }

  /** Context's time minus the page's, in seconds, for the sound that leaves the speakers now. */
  #offset() {
    const { context, page } = this;
    const { contextTime, performanceTime } = context.getOutputTimestamp?.() ?? {};
    const now = page.performance.timeOrigin / 1000;
    if (performanceTime > 0 && contextTime > 0) return contextTime - performanceTime / 1000 - now;
    return context.currentTime - (context.outputLatency || context.baseLatency || 0) - page.performance.now() / 1000 - now;
  }

  end() {
    this.page.clearInterval(this.timer);
  }
}
