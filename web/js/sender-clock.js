import { encodeBundle, encodeMessage } from './osc.js';

/** Seconds from 1900, where OSC's times begin, to 1970. */
const epoch = 2208988800;
const fraction = 2 ** 32;

/** A time in seconds since 1900 as OSC's timetag. */
export const timetag = (seconds) =>
  (BigInt(Math.floor(seconds)) << 32n) | BigInt(Math.floor((seconds % 1) * fraction));

/** Seconds since 1900 on this page's clock, to a tenth of a millisecond where the browser lets it. */
export const pageClock = (page = window) => (page.performance.timeOrigin + page.performance.now()) / 1000 + epoch;

/** What goes out says when; so that the engine can tell what the way took, it may ask for the time. */
export class SenderClock {
  /** @param now seconds since 1900; without it nothing is timed. */
  constructor(now) {
    this.now = now;
  }

  /** Messages with the present time around them. */
  timed(...messages) {
    if (this.now) return encodeBundle(messages, timetag(this.now()));
    return messages.length === 1 ? messages[0] : encodeBundle(messages);
  }

  /** The message that makes the engine ask; null without a clock. */
  get offer() {
    return this.now ? encodeMessage('/clock') : null;
  }

  /**
   * Whether a message is about clocks.
   * @param answer is given what is to be sent back at once
   */
  take({ address, values }, answer) {
    if (!address.startsWith('/clock/')) return false;
    const received = this.now?.();
    if (address === '/clock/ask' && received) {
      answer(encodeMessage('/clock/answer', [values[0], received, this.now()], ['i', 'd', 'd']));
    }
    return true;
  }
}
