import { ListenerSound } from '../../playback/listener-sound.js';
import { SceneListening } from '../../scene/scene-listening.js';
import { SoundStage } from '../../shared/sound/sound-stage.js';
import { Alignment } from './alignment.js';
import { ModeChoice } from './mode-choice.js';

/** Seconds of the crossfade, before it begins, and after it until the previous sound ends. */
const fade = 0.2;
const lead = 0.06;
const rest = 0.1;
/** Milliseconds after which a new sound that has not begun is abandoned; it replaces one that is not heard either. */
const patience = 8000;
/** Milliseconds before a mode that could not begin is tried again, the first time and at most. */
const firstWait = 2000;
const longestWait = 64_000;

/** Milliseconds that may be missing in the sound that is heard while a scene is tried again beside it. */
const mostHarm = 300;

/** Connections of the scene in a row that end at once, after which the engine counts as one that does not send it. */
const mostClosings = 4;

/** The parts of the sound; tests put their own in their place. */
const browser = {
  stage: (...settings) => new SoundStage(...settings),
  sound: (mode, name, rate, events, place) => (mode === 'client'
    ? new SceneListening(name, rate, events, 'full', place) : new ListenerSound(name, rate, events, place)),
  now: () => performance.now(),
  setTimeout: (...wishes) => setTimeout(...wishes),
  clearTimeout: (timer) => clearTimeout(timer),
};

/**
 * The sound of one listener, rendered here or by the engine as `ModeChoice` says, with a crossfade between both, which are brought to the
 * same time before.
 *
 * Has the interface of `SceneListening`; also calls `changed()` when the mode or its reason has changed, and asks
 * `isRefused()` whether the engine is there, so that a connection that it ends is one that it refuses. `stage`, if there is one, gives a
 * stage instead of a new one.
 */
export class AdaptiveSound {
  #rate;
  #events;
  #choice;
  #world;
  #stage = null;
  #present = null;
  /** The sound that is to follow, its way to the same time, and the timer that ends the wait for it. */
  #next = null;
  #alignment = null;
  #timer = null;
  /** Milliseconds before which no other mode begins, and the wait after another failure. */
  #notBefore = 0;
  #wait = firstWait;
  #head = [1, 0, 0, 0];
  #reason = null;

  /**
   * @param {string | null} refusal why this browser cannot render the scene
   * @param choice a `ModeChoice`
   */
  constructor(name, rate, events, refusal, choice = new ModeChoice(refusal), world = browser) {
    this.name = name;
    this.#rate = rate;
    this.#events = events;
    this.#choice = choice;
    this.#world = world;
    this.#reason = this.#choice.reason;
    this.volume = 1;
  }

  get mode() {
    return this.#present?.mode ?? this.#choice.mode;
  }

  /** Reason why the engine renders; null when this browser does. */
  get reason() {
    return this.#choice.reason;
  }

  get context() {
    return this.#stage?.context ?? null;
  }

  /** The sound that is heard. */
  get sound() {
    return this.#present?.sound ?? null;
  }

  /** Starts the sound. Call it from a click. */
  async start() {
    this.#stage = (this.#events.stage ?? this.#world.stage)(this.#rate, (isMissing) => this.#events.interrupted?.(isMissing));
    this.#present = this.#make(this.#choice.mode, 1);
    const { mode, sound } = this.#present;
    try {
      await sound.start();
    } catch (error) {
      if (!this.#present || mode === 'server') throw error;
      this.#choice.fail(error.message);
      this.#end(this.#present);
      this.#present = this.#make('server', 1);
      this.#events.changed();
      await this.#present.sound.start();
    }
  }

  #make(mode, gain) {
    const made = { mode, entrance: this.#stage.entrance(gain), isDead: false, isPaused: false };
    const events = {
      ...this.#events,
      // The stage reports it.
      interrupted: undefined,
      report: (numbers) => this.#report(made, numbers),
      waiting: (closings) => this.#waiting(made, closings),
      settings: (settings) => {
        this.#choice.set(settings);
        this.#follow();
      },
      joined: (name) => {
        this.name = name;
        this.#events.joined(name);
      },
      ended: (reason, isFinal) => this.#ended(made, reason, isFinal),
    };
    made.sound = this.#world.sound(mode, this.name, this.#rate, events, {
      context: this.#stage.context, output: made.entrance, isNarrow: this.#choice.isDoubtful,
    });
    made.sound.setVolume(this.volume);
    made.sound.setHead?.(this.#head);
    return made;
  }

  /** A connection was lost. Where the engine is there and only the scene is not, it renders. */
  #waiting(made, closings) {
    if (made !== this.#present && made !== this.#next) return;
    if (made.mode === 'client' && closings >= mostClosings && this.#events.isRefused?.()) {
      this.#choice.fail('the engine does not send the scene');
      this.#follow();
    }
    if (made === this.#present && !made.isPaused) this.#events.waiting();
  }

  #report(made, numbers) {
    made.numbers = numbers;
    if (made === this.#next) this.#lead(numbers);
    if (made !== this.#present) return;
    this.#choice.note(this.#world.now() / 1000, numbers);
    this.#follow();
    this.#guard(numbers);
    if (made === this.#present) this.#events.report(numbers);
  }

  /** Brings the new sound to the time of the current one, then changes to it. */
  #lead(numbers) {
    const { numbers: present, isDead, isPaused } = this.#present;
    if (isDead || isPaused || !present?.playing) {
      if (numbers.playing) this.#change(false);
      return;
    }
    this.#alignment ??= new Alignment(this.#present.sound, this.#next.sound);
    const state = this.#alignment.step(this.#world.now(), present, numbers);
    if (state !== 'under way') this.#change(state === 'together');
  }

  /** Begins the other mode when it is wanted. */
  #follow() {
    if (this.#reason !== this.reason) {
      this.#reason = this.reason;
      this.#events.changed();
    }
    const { mode } = this.#choice;
    const present = this.#present;
    if (!present || (this.#next ?? present).mode === mode) return;
    this.#drop();
    if (present.mode === mode) {
      if (present.isPaused) present.sound.resume();
      present.isPaused = false;
      return;
    }
    if (!present.isDead && this.#world.now() < this.#notBefore) return;
    // A network that is too narrow carries nothing else before it is left alone.
    if (this.#choice.isNarrow && present.sound.pause) {
      present.isPaused = true;
      present.sound.pause();
    }
    const next = this.#make(mode, 0);
    this.#next = next;
    next.sound.start().catch((error) => this.#ended(next, error.message));
    this.#timer = this.#world.setTimeout(() => { if (this.#next === next) this.#late(); }, patience);
  }

  /** A network that was narrow may not carry both: the attempt ends before the sound that is heard suffers. */
  #guard({ concealedMilliseconds }) {
    const next = this.#next;
    if (next?.mode !== 'client' || !this.#choice.isDoubtful) return;
    next.harmless = Math.min(next.harmless ?? Infinity, concealedMilliseconds);
    if (concealedMilliseconds - next.harmless > mostHarm) this.#giveUp();
  }

  /** The new sound has not begun in time: one that is heard continues. */
  #late() {
    const { numbers } = this.#next;
    const { isDead, isPaused } = this.#present;
    if (isDead || isPaused || numbers?.playing || numbers?.isEmpty) {
      this.#change(false);
      return;
    }
    this.#giveUp();
  }

  /** Ends the attempt at another sound; the current one continues. */
  #giveUp() {
    // A first attempt may have been late for another reason, as on a busy phone.
    const isNarrow = this.#choice.isDoubtful || this.#wait > firstWait;
    if (this.#next.mode === 'client' && isNarrow) this.#choice.giveUp(this.#world.now() / 1000);
    this.#drop();
    this.#postpone();
    this.#follow();
  }

  /** The other mode is tried again later and later. */
  #postpone() {
    this.#notBefore = this.#world.now() + this.#wait;
    this.#wait = Math.min(longestWait, 2 * this.#wait);
  }

  /** The new sound fades in, and the previous one out. */
  #change(isAlike) {
    this.#world.clearTimeout(this.#timer);
    const [former, alignment] = [this.#present, this.#alignment];
    this.#present = this.#next;
    this.#next = null;
    this.#alignment = null;
    this.#wait = firstWait;
    const at = this.#stage.now + lead;
    this.#stage.fade(this.#present.entrance, true, isAlike, at, fade);
    this.#stage.fade(former.entrance, false, isAlike, at, fade);
    this.#world.setTimeout(() => {
      this.#end(former);
      alignment?.finish();
    }, 1000 * (lead + fade + rest));
    this.#events.changed();
  }

  #ended(made, reason, isFinal = false) {
    if (made !== this.#present && made !== this.#next) return;
    if (isFinal) {
      this.#finish(reason, true);
      return;
    }
    if (made.mode === 'client') this.#choice.fail(reason);
    made.isDead = true;
    if (made === this.#next) {
      this.#drop();
      if (this.#present.isDead) {
        this.#finish(reason);
        return;
      }
      this.#postpone();
      if (this.#present.isPaused) {
        this.#present.isPaused = false;
        this.#present.sound.resume();
      }
    } else {
      this.#follow();
      if (!this.#next) this.#finish(reason);
    }
  }

  #finish(reason, isFinal = false) {
    this.stop();
    this.#events.ended(reason, isFinal);
  }

  /** Ends the sound that was to follow. */
  #drop() {
    this.#world.clearTimeout(this.#timer);
    this.#alignment?.abandon();
    this.#alignment = null;
    this.#end(this.#next);
    this.#next = null;
  }

  #end(made) {
    made?.sound.stop();
    made?.entrance.disconnect();
  }

  setHead(head) {
    this.#head = head;
    for (const made of [this.#present, this.#next]) made?.sound.setHead?.(head);
  }

  setVolume(volume) {
    this.volume = volume;
    for (const made of [this.#present, this.#next]) made?.sound.setVolume(volume);
  }

  stop() {
    this.#drop();
    this.#end(this.#present);
    this.#present = null;
    this.#stage?.close();
    this.#stage = null;
  }
}
