import { counted } from '../shared/numbers/units.js';

/** A number of seconds as a time in the past, in words. */
export function ago(seconds) {
  const steps = [[86400, 'day'], [3600, 'hour'], [60, 'minute']];
  const [size, unit] = steps.find(([size]) => seconds >= size) ?? [];
  if (!size) return 'just now';
  const count = Math.floor(seconds / size);
  return `${counted(count, unit)} ago`;
}

/** Role of this browser: `control`, `view`, or null when that is unknown. */
export async function roleOf(world) {
  try {
    const response = await world.fetch('/pairing/clients', { headers: { Accept: 'application/json' }, cache: 'no-store' });
    return response.ok ? (await response.json()).role ?? null : null;
  } catch {
    return null;
  }
}

/** Paired phones and browsers, as the engine keeps them. `world` is that of `Connection`. */
export class PairedClients {
  constructor(world) {
    this.world = world;
  }

  /** The list; null when the engine needs no pairing or this client may not see it. */
  async list() {
    try {
      const response = await this.world.fetch('/pairing/clients', {
        headers: { Accept: 'application/json' }, cache: 'no-store',
      });
      const { possible, clients } = response.ok ? await response.json() : {};
      return possible ? clients : null;
    } catch {
      return null;
    }
  }

  /**
   * A code that pairs one client and opens a page (`panel` or `phone`): `{ url, code, seconds, trust }`.
   *
   * Throws an error with the engine's answer.
   */
  async offer(role, page) {
    return (await this.#post('/pairing/offer', { role, page })).json();
  }

  revoke(id) {
    return this.#post('/pairing/revoke', { id });
  }

  setRole(id, role) {
    return this.#post('/pairing/role', { id, role });
  }

  async #post(path, body) {
    const response = await this.world.fetch(path, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error((await response.text()).trim());
    return response;
  }
}
