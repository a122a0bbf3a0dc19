import { roles } from '../../shared/tree/roles.js';
import { ClientReport } from './client-report.js';

/**
 * Keeps the page's own listener at the engine while the page plays a packed recording: reports the client, so that the panel lists it,
 * and follows the gain and the mute that are set there. A page without a listener of its own reports nothing.
 */
export class OfflineListener {
  #engine;
  #player;
  #report;
  /** Gain that the player was given last; null before. */
  #level = null;

  /** @param engine an `EngineLink`; @param player plays the recording */
  constructor(engine, player, page = window) {
    this.#engine = engine;
    this.#player = player;
    this.#report = new ClientReport(engine, () => 'offline', () => 1000 * player.delays.sound, page);
  }

  /** The gain in decibels as in the engine; null without a listener. */
  get gain() {
    const node = this.#engine.own(roles.listenerGain);
    return node ? this.#engine.values.number(node) : null;
  }

  /** Applies what was set at the engine. */
  follow() {
    const { gain } = this;
    if (gain === null) return;
    const isMuted = Boolean(this.#engine.values.of(this.#engine.own(roles.listenerMute))[0]);
    const level = isMuted ? -Infinity : gain;
    if (level === this.#level) return;
    this.#level = level;
    this.#player.setListener({ gain: level });
  }

  /** Sets the gain at the engine; false without a listener. */
  setGain(gain) {
    if (this.gain === null || !this.#engine.send(this.#engine.own(roles.listenerGain), [gain])) return false;
    this.follow();
    return true;
  }

  end() {
    this.#report.end();
  }
}
