/**
 * The fragment of the panel's address: its page, and the listener that is shown, `#effects&listener=2`.
 *
 * `#kiosk&listener=2` is a page that only plays.
 */

/** The name of the page; null when the address has none. */
export function topicIn(hash) {
  const [first] = hash.slice(1).split('&');
  return first && !first.includes('=') ? first : null;
}

/** Name of the listener; null when the address has none. */
export const listenerIn = (hash) => new URLSearchParams(hash.slice(1)).get('listener');

/** Whether the page only plays the listener's sound. */
export const isKiosk = (hash) => topicIn(hash) === 'kiosk';

/** The fragment of a page and a listener, either of which may be null. */
export const fragment = (topic, listener) =>
  `#${[topic, listener === null ? null : `listener=${encodeURIComponent(listener)}`].filter((part) => part !== null).join('&')}`;
