import { outputDelay } from '../../shared/sound/output-delay.js';
import { OutputClock } from './output-clock.js';

/** Milliseconds between two checks of the output's clock. */
const interval = 200;

/**
 * The time of sample 0 on the clock of an audio context, for sound that plays together with that of other pages.
 *
 * The engine reports when its sample 0 was, by this page's clock, and how much later the group plays; the context reports when its sound
 * leaves the speakers, and a measurement with the microphone how much later than that it does.
 */
export class GroupClock {
  /** @param {function(number | null)} follow receives the time in seconds of the context; null without a group */
  constructor(context, follow, page = globalThis, extra = () => outputDelay()) {
    this.extra = extra;
    this.clock = new OutputClock(context, page);
    this.follow = follow;
    this.page = page;
    this.link = null;
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
    this.clock.look();
    this.isOn = true;
    this.follow((this.link.origin + this.link.group) / 1000 + this.clock.offset - this.extra());
  }

  end() {
    this.page.clearInterval(this.timer);
  }
}
