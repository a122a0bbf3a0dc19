import { keepRunning } from './keep-running.js';

/** A context of a rate; of the device's own rate where the browser refuses it, to which players resample. */
export function contextOf(rate, world = globalThis) {
  const wishes = { latencyHint: 'interactive' };
  try {
    return new world.AudioContext({ ...wishes, sampleRate: rate });
  } catch {
    return new world.AudioContext(wishes);
  }
}

/** One context for sounds that follow each other, so that they have one clock. Each sound is faded by an entrance of its own. */
export class SoundStage {
  #unkeep;

  /**
   * Call it from a click, since browsers allow sound only then.
   *
   * @param {number} rate likely frames per second
   * @param {function(boolean)} [interrupted] called when the system takes the sound away, and when it gives it back
   * @param {function(): boolean} [isWanted] whether there is to be sound now
   */
  constructor(rate, interrupted, isWanted = () => true) {
    this.context = contextOf(rate);
    this.#unkeep = keepRunning(this.context, () => this.context.state !== 'closed' && isWanted(), interrupted);
  }

  /** Seconds on the clock of the sounds. */
  get now() {
    return this.context.currentTime;
  }

  /** A node through which a sound is heard, at a gain of 0 or 1 at first. */
  entrance(gain) {
    const node = new GainNode(this.context, { gain });
    node.connect(this.context.destination);
    return node;
  }

  /**
   * Fades an entrance.
   *
   * @param {boolean} isIn whether the sound comes or goes
   * @param {boolean} isAlike whether another sound that goes or comes meanwhile is the same, sample by sample: then the gains of both add
   *   up to 1, otherwise their powers do
   * @param {number} at time of the beginning, which both have in common
   */
  fade(node, isIn, isAlike, at, seconds) {
    const steps = 64;
    const curve = Float32Array.from({ length: steps + 1 }, (_, i) => {
      const share = isIn ? i / steps : 1 - i / steps;
      return isAlike ? share : Math.sin((share * Math.PI) / 2);
    });
    node.gain.cancelScheduledValues(0);
    node.gain.setValueCurveAtTime(curve, at, seconds);
  }

  close() {
    this.#unkeep();
    this.context.close();
  }
}
