import { silentFile } from './silent-file.js';

/**
 * The system's media keys, those of headsets among them, and the title on a locked screen.
 *
 * Systems give these to media elements only, and keep pages with a playing one awake. The sound itself does not pass through an element,
 * which would delay it: a silent one plays beside it.
 */
export class MediaKeys {
  #title = null;
  #element = null;
  #isPlaying = false;

  /** @param actions `{ play, pause, front }` */
  constructor({ play, pause, front }) {
    // A headset has no button of its own for the front.
    for (const [key, action] of Object.entries({ play, pause, stop: pause, nexttrack: front, previoustrack: front })) {
      try {
        navigator.mediaSession?.setActionHandler(key, action);
      } catch {
        // A browser that lacks one key has the others.
      }
    }
    // A call may have paused the element.
    document.addEventListener('visibilitychange', () => this.#keep());
  }

  /** Whether the element plays, which the keys belong to. */
  get isHeld() {
    return this.#element !== null && !this.#element.paused;
  }

  /** Informs the system what kind of sound begins; call it from a tap. iOS mutes Web Audio by its silent switch otherwise. */
  begin({ mode }) {
    if (mode === 'tracker') return;
    if (navigator.audioSession) navigator.audioSession.type = 'playback';
    if (!navigator.mediaSession) return;
    if (!this.#element) {
      this.#element = new Audio(URL.createObjectURL(silentFile()));
      this.#element.loop = true;
    }
    this.#isPlaying = true;
    this.#keep();
  }

  name(title) {
    if (title === this.#title || !navigator.mediaSession) return;
    this.#title = title;
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist: 'Vestibule' });
  }

  show(isPlaying) {
    this.#isPlaying = isPlaying;
    if (navigator.mediaSession) navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused';
    if (isPlaying) this.#keep();
    else this.#element?.pause();
  }

  #keep() {
    // A browser that refuses it plays without keys.
    if (this.#isPlaying && this.#element?.paused) this.#element.play().catch(() => {});
  }
}
