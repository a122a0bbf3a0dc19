import { ListenerSound } from '../../playback/listener-sound.js';
import { SceneListening } from '../../scene/scene-listening.js';
import { ModeChoice } from './mode-choice.js';

/** Milliseconds for which the former sound fades out. */
const fade = 200;
/** Milliseconds after which the former sound ends, although the new one has not begun. */
const patience = 8000;

/**
 * The sound of one listener, rendered here or by the engine as `ModeChoice` says, with a crossfade between both.
 *
 * Has the interface of `SceneListening`; also calls `changed()` when the mode or its reason has changed.
 */
export class AdaptiveSound {
  #rate;
  #told;
  #choice;
  #present = null;
  /** The sound that is to follow, and the timer that ends the wait for it. */
  #next = null;
  #timer = null;
  #head = [1, 0, 0, 0];
  #reason = null;

  /** @param {string | null} refusal why this browser cannot render the scene */
  constructor(name, rate, told, refusal) {
    this.name = name;
    this.#rate = rate;
    this.#told = told;
    this.#choice = new ModeChoice(refusal);
    this.#reason = this.#choice.reason;
    this.volume = 1;
  }

  get mode() {
    return this.#present?.mode ?? this.#choice.mode;
  }

  /** Why the engine renders; null when this browser does. */
  get reason() {
    return this.#choice.reason;
  }

  get context() {
    return this.#present?.sound.context ?? null;
  }

  /** The sound that is heard. */
  get sound() {
    return this.#present?.sound ?? null;
  }

  /** Starts the sound. Call it from a click. */
  async start() {
    this.#present = this.#make(this.#choice.mode);
    try {
      await this.#present.sound.start();
    } catch (error) {
      if (!this.#present || this.#present.mode === 'server') throw error;
      this.#choice.fail(error.message);
      this.#end(this.#present);
      this.#present = this.#make('server');
      this.#told.changed();
      await this.#present.sound.start();
    }
  }

  #make(mode) {
    const made = { mode, isHeard: false };
    const told = {
      ...this.#told,
      report: (numbers) => this.#report(made, numbers),
      waiting: () => { if (made === this.#present) this.#told.waiting(); },
      settings: (settings) => {
        this.#choice.set(settings);
        this.#follow();
      },
      joined: (name) => {
        this.name = name;
        this.#told.joined(name);
      },
      ended: (reason) => this.#ended(made, reason),
    };
    made.sound = mode === 'client' ? new SceneListening(this.name, this.#rate, told) : new ListenerSound(this.name, this.#rate, told);
    made.sound.setVolume(this.volume);
    made.sound.setHead?.(this.#head);
    return made;
  }

  #report(made, numbers) {
    if (made === this.#next && numbers.playing) this.#change();
    if (made !== this.#present) return;
    this.#choice.note(performance.now() / 1000, numbers);
    this.#follow();
    this.#told.report(numbers);
  }

  /** Begins the other mode when it is wanted. */
  #follow() {
    if (this.#reason !== this.reason) {
      this.#reason = this.reason;
      this.#told.changed();
    }
    const { mode } = this.#choice;
    if (!this.#present || (this.#next ?? this.#present).mode === mode) return;
    this.#end(this.#next);
    this.#next = null;
    if (this.#present.mode === mode) return;
    const next = this.#make(mode);
    this.#next = next;
    next.sound.setVolume(0);
    next.sound.start().catch((error) => this.#ended(next, error.message));
    this.#timer = setTimeout(() => { if (this.#next === next) this.#change(); }, patience);
  }

  /** The new sound fades in, and the former one out. */
  #change() {
    clearTimeout(this.#timer);
    const former = this.#present;
    this.#present = this.#next;
    this.#next = null;
    this.#present.sound.setVolume(this.volume);
    former.sound.setVolume(0);
    setTimeout(() => this.#end(former), fade);
    this.#told.changed();
  }

  #ended(made, reason) {
    if (made.mode === 'client') this.#choice.fail(reason);
    if (made === this.#next) {
      this.#next = null;
      return;
    }
    if (made !== this.#present) return;
    if (made.mode === 'client') {
      this.#follow();
      return;
    }
    this.stop();
    this.#told.ended(reason);
  }

  #end(made) {
    made?.sound.stop();
  }

  setHead(head) {
    this.#head = head;
    for (const made of [this.#present, this.#next]) made?.sound.setHead?.(head);
  }

  setVolume(volume) {
    this.volume = volume;
    this.#present?.sound.setVolume(volume);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#end(this.#present);
    this.#end(this.#next);
    this.#present = null;
    this.#next = null;
  }
}
