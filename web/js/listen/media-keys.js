/** The system's media keys, those of headsets among them, and the title on a locked screen. */
export class MediaKeys {
  #title = null;

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
  }

  /** Tells the system what kind of sound begins. iOS mutes Web Audio by its silent switch otherwise. */
  begin({ mode }) {
    if (navigator.audioSession && mode !== 'tracker') navigator.audioSession.type = 'playback';
  }

  name(title) {
    if (title === this.#title || !navigator.mediaSession) return;
    this.#title = title;
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist: 'Vestibule' });
  }

  show(isPlaying) {
    if (navigator.mediaSession) navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused';
  }
}
