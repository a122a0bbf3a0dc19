const key = 'vestibule.own-listener';

/** The name under which a browser asks for a listener of its own. */
export const join = 'join';

/**
 * The listener that belongs to this tab: `{ name, token }`, or null. It outlasts a reload.
 *
 * @param storage the tab's; that of a test in its place
 */
export function ownListener(storage = sessionStorage) {
  try {
    return JSON.parse(storage.getItem(key));
  } catch {
    return null;
  }
}

/** Remembers the listener that the engine has given this tab. */
export function keepOwnListener({ listener, token }, storage = sessionStorage) {
  storage.setItem(key, JSON.stringify({ name: String(listener), token }));
}

/** Path of a listener's sound; that of the tab's own listener proves by its token that it is. */
export function soundPath(name, storage = sessionStorage) {
  const own = ownListener(storage);
  if (own && (name === own.name || name === join)) return `/audio/join?token=${own.token}`;
  return `/audio/${name}`;
}
