import { SoundStage } from '../../shared/sound/sound-stage.js';

/** Milliseconds after which a context that no player has is put to rest. */
const patience = 10_000;

/**
 * The context of players that follow each other on the page. The next one of the same rate continues with it, so that it needs no
 * further tap when another client made the change.
 */
export class KeptStage {
  #world;
  #make;
  #stage = null;
  #rate = null;
  /** The player that has the stage: `{ interrupted, isWanted }`; null for none. */
  #holder = null;
  #timer = null;

  /** @param world with the timers; @param make makes a `SoundStage` */
  constructor(world = globalThis, make = (...settings) => new SoundStage(...settings)) {
    this.#world = world;
    this.#make = make;
  }

  /**
   * Takes the stage, as a `SoundStage` whose `close` gives it back. Call it from a click, since a context of another rate is a new one.
   *
   * @param {number} rate likely frames per second
   * @param {function(boolean)} [interrupted] called when the system takes the sound away, and when it gives it back
   * @param {function(): boolean} [isWanted] whether there is to be sound now
   */
  take(rate, interrupted = () => {}, isWanted = () => true) {
    this.#world.clearTimeout(this.#timer);
    if (this.#rate !== rate) {
      this.#stage?.close();
      this.#stage = null;
    }
    const holder = { interrupted, isWanted };
    this.#holder = holder;
    this.#rate = rate;
    this.#stage ??= this.#make(rate, (isMissing) => this.#holder?.interrupted(isMissing), () => this.#holder?.isWanted() ?? false);
    const stage = this.#stage;
    stage.context.resume().catch(() => {});
    return {
      context: stage.context, entrance: (gain) => stage.entrance(gain), fade: (...order) => stage.fade(...order),
      get now() {
        return stage.now;
      },
      close: () => this.#release(holder),
    };
  }

  #release(holder) {
    if (this.#holder !== holder) return;
    this.#holder = null;
    const { context } = this.#stage;
    this.#timer = this.#world.setTimeout(() => context.suspend().catch(() => {}), patience);
  }
}
