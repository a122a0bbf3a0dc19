const key = 'vestibule.video-nudge';
/** Milliseconds by which the picture can be moved either way. */
const most = 10_000;

/** Milliseconds by which this browser shows the picture later than others do, kept for the next time. */
export class OwnNudge {
  #milliseconds = 0;

  constructor(storage = globalThis.localStorage) {
    this.storage = storage;
    try {
      this.#set(Number(storage.getItem(key)));
    } catch {
      // A browser without a memory begins without one.
    }
  }

  get milliseconds() {
    return this.#milliseconds;
  }

  #set(milliseconds) {
    this.#milliseconds = Number.isFinite(milliseconds) ? Math.min(most, Math.max(-most, milliseconds)) : 0;
  }

  /** Moves the picture by a number of milliseconds. */
  add(milliseconds) {
    this.#set(this.#milliseconds + milliseconds);
    try {
      this.storage.setItem(key, String(this.#milliseconds));
    } catch {
      // Without a memory it holds for this time.
    }
  }
}
