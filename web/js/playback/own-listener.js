const key = 'vestibule.own-listener';

/** The name under which a browser asks for a listener of its own. */
export const join = 'join';

/** The listener of a tab whose storage the browser blocks: it lasts as long as the page. */
let unstored = null;

/**
 * The listener that belongs to this tab: `{ name, token }`, or null. It outlasts a reload.
 *
 * @param [storage] that of a test instead of the tab's, which browsers refuse even to name where cookies are blocked
 */
export function ownListener(storage = undefined) {
  try {
    return JSON.parse((storage ?? sessionStorage).getItem(key));
  } catch {
    return unstored;
  }
}

/** Remembers the listener that the engine has given this tab. */
export function keepOwnListener({ listener, token }, storage = undefined) {
  unstored = { name: String(listener), token };
  try {
    (storage ?? sessionStorage).setItem(key, JSON.stringify(unstored));
  } catch {
    // The page remembers it.
  }
}

/** Path of a listener's sound; that of the tab's own listener proves by its token that it is. */
export function soundPath(name, storage = undefined) {
  const own = ownListener(storage);
  if (own && (name === own.name || name === join)) return `/audio/join?token=${own.token}`;
  return `/audio/${name}`;
}
