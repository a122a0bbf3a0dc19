/** Seconds of sound ahead beyond the wanted ones from which on the player catches up, and from which on it leaves sound out. */
const slack = 0.4;
const far = 4;
/** Rate of playback while it catches up. */
const faster = 1.05;
/** Seconds by which each stop makes the wanted time ahead longer, and the longest. */
const step = 0.32;
const longest = 4;
/** Milliseconds without a stop after which the wanted time becomes shorter by a step again. */
const calm = 60_000;

/** Keeps a player near the live edge: its rate, and jumps over sound that came too late. */
export class PlayingPace {
  /** @param holdBack seconds of sound ahead that the playlist asks for */
  constructor(holdBack) {
    this.least = holdBack;
    this.wanted = holdBack;
    /** Time of the last stop, or of the last step back; milliseconds. */
    this.changed = 0;
  }

  /** The sound has stopped, because none was there: a longer wait avoids the next time. `now` is in milliseconds. */
  stopped(now) {
    this.wanted = Math.min(longest, this.wanted + step);
    this.changed = now;
  }

  /**
   * The action for so many seconds of sound ahead: `{ rate }`, and `skip` in seconds where sound has to be left out.
   *
   * @param isFaster whether the player is catching up already, which continues until the wanted time is reached
   * @param now milliseconds
   */
  follow(ahead, isFaster, now) {
    if (this.wanted > this.least && now - this.changed >= calm) {
      this.wanted = Math.max(this.least, this.wanted - step);
      this.changed = now;
    }
    const excess = ahead - this.wanted;
    if (excess > far) return { rate: 1, skip: excess };
    return { rate: excess > (isFaster ? 0 : slack) ? faster : 1, skip: 0 };
  }
}
