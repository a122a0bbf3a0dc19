import { encodeBundle, encodeMessage } from './osc.js';

/** Seconds from 1900, where OSC's times begin, to 1970. */
const epoch = 2208988800;
const fraction = 2 ** 32;

/** A time in seconds since 1900 as an OSC timetag. */
export const timetag = (seconds) =>
  (BigInt(Math.floor(seconds)) << 32n) | BigInt(Math.floor((seconds % 1) * fraction));

/** Seconds since 1900 on this page's clock, to a tenth of a millisecond where the browser allows it. */
export const pageClock = (page = window) => (page.performance.timeOrigin + page.performance.now()) / 1000 + epoch;

/** Time tags of sent messages, and answers to the engine's requests for this clock, by which it measures transmission times. */
export class SenderClock {
  /** @param now seconds since 1900; without it messages get no time tag. */
  constructor(now) {
    this.now = now;
  }

  /** Messages in a bundle with the current time. */
  timed(...messages) {
    if (this.now) return encodeBundle(messages, timetag(this.now()));
    return messages.length === 1 ? messages[0] : encodeBundle(messages);
  }

  /** Message that makes the engine request the time; null without a clock. */
  get offer() {
    return this.now ? encodeMessage('/clock') : null;
  }

  /**
   * Handles a message about clocks; false for any other.
   *
   * @param answer called with the packet to send back at once
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
