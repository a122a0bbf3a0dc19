import { clientName } from '../../shared/connection/client-name.js';
import { roles } from '../../shared/tree/roles.js';

/** Milliseconds between two reports to the engine. */
const interval = 2000;

/** Reports to the engine what kind of client plays the listener: device, mode, battery, and the delay of its output. */
export class ClientReport {
  #battery = null;
  #timer;

  /**
   * @param engine an `EngineLink`
   * @param mode function: one of the engine's modes
   * @param delay function: milliseconds to the ear
   */
  constructor(engine, mode, delay, page = window) {
    Object.assign(this, { engine, mode, delay, page });
    this.#watchBattery();
    this.#timer = page.setInterval(() => this.tell(), interval);
  }

  end() {
    this.page.clearInterval(this.#timer);
  }

  async #watchBattery() {
    try {
      const battery = await this.page.navigator.getBattery?.();
      if (!battery) return;
      this.#battery = battery;
      for (const event of ['levelchange', 'chargingchange']) battery.addEventListener(event, () => this.tell());
      this.tell();
    } catch {
      // Browsers may keep it to themselves.
    }
  }

  /** The values by the roles of their nodes. */
  get #values() {
    const battery = this.#battery;
    return [
      [roles.clientName, clientName(this.page.navigator.userAgent ?? ''), 's'],
      [roles.clientMode, this.mode(), 's'],
      [roles.clientBattery, battery && Number.isFinite(battery.level) ? Math.round(100 * battery.level) : -1, 'i'],
      [roles.clientCharging, Boolean(battery?.charging), 'T'],
      [roles.clientDelay, Math.max(0, Math.min(5000, Math.round(this.delay()))), 'f'],
    ];
  }

  /** Sends what is new; after another connection or listener, everything. */
  tell() {
    this.engine.claim();
    for (const [role, value, type] of this.#values) {
      const node = this.engine.own(role);
      if (!node) continue;
      if (this.engine.values.of(node)[0] !== value) this.engine.send(node, [value], type);
    }
  }
}
