/**
 * Limits a rate: sends the first value at once and later ones at least `interval` milliseconds apart; the last is always sent.
 */
export class Throttle {
  constructor(interval, send, clock = {
    now: () => performance.now(),
    setTimer: (action, delay) => setTimeout(action, delay),
  }) {
    this.interval = interval;
    this.send = send;
    this.clock = clock;
    this.last = -Infinity;
    this.waiting = null;
  }

  offer(value) {
    if (this.waiting) {
      this.waiting.value = value;
      return;
    }
    const left = this.last + this.interval - this.clock.now();
    if (left <= 0) {
      this.#release(value);
      return;
    }
    this.waiting = { value };
    this.clock.setTimer(() => {
      if (!this.waiting) return;
      const { value: latest } = this.waiting;
      this.waiting = null;
      this.#release(latest);
    }, left);
  }

  /** Forgets the value that waits to be sent. */
  drop() {
    this.waiting = null;
  }

  #release(value) {
    this.last = this.clock.now();
    this.send(value);
  }
}
