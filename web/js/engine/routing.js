/** Channels of a sound device that listeners are played on, as plain values. */

/** Ears that a cell of the matrix sets. */
export const ears = ['both', 'left', 'right'];

/** The pair of a text such as "3,4", left ear first; null for none. */
export function pairOf(text) {
  const numbers = String(text ?? '').split(',').map(Number);
  return numbers.length === 2 && numbers.every((number) => Number.isInteger(number) && number > 0) ? numbers : null;
}

/** The notation of a pair; an empty text for none. */
export const pairText = (pair) => (pair ? pair.join(',') : '');

/** The ear of a listener that is played on a channel: "left", "right", or null. */
export const earOn = (pair, channel) => (pair ? ['left', 'right'][pair.indexOf(channel)] ?? null : null);

/** Index of the listener that is played on a channel; -1 for none. */
export const holderOf = (pairs, channel) => pairs.findIndex((pair) => pair?.includes(channel));

/** Channels that are shown: at most as many as fit a matrix, unless listeners are played beyond, or all are wanted. */
export function shownChannels(count, pairs, { all = false, most = 16 } = {}) {
  if (all || count <= most) return count;
  return Math.min(count, Math.max(most, ...pairs.flatMap((pair) => pair ?? [])));
}

/**
 * The pair that a press on a cell asks for: `{ pair }`, null for none, or `{ refusal }`, a sentence with the reason.
 *
 * @param pairs the pair of each listener, null for none
 * @param count number of channels of the device
 * @param titles the listeners in words
 * @param ear one of `ears`
 */
export function pressed(pairs, count, titles, listener, channel, ear) {
  const own = pairs[listener];
  const isFree = (number) => number >= 1 && number <= count && [-1, listener].includes(holderOf(pairs, number));
  const taken = (number) => {
    const holder = holderOf(pairs, number);
    return { refusal: `Channel ${number} is taken: ${titles[holder]} is played on ${pairs[holder].join(' and ')}. Free it there first.` };
  };
  if (ear === 'both') {
    if (own?.includes(channel)) return { pair: null };
    if (!isFree(channel)) return taken(channel);
    const pair = partners(channel, count);
    if (!pair) return { refusal: 'The device has one channel; a listener needs two.' };
    return pair.every(isFree) ? { pair } : taken(pair.find((number) => !isFree(number)));
  }
  if (!isFree(channel)) return taken(channel);
  const side = ear === 'left' ? 0 : 1;
  const pair = own ? [...own] : [null, null];
  if (pair[side] === channel) return { refusal: `The ${ear} ear of ${titles[listener]} is on channel ${channel} already.` };
  const former = pair[side];
  pair[side] = channel;
  // The ear that was on this channel goes to the one that is left; a first ear takes its neighbour along.
  if (pair[1 - side] === channel) pair[1 - side] = former;
  if (pair[1 - side] === null) {
    const other = [side === 0 ? channel + 1 : channel - 1, side === 0 ? channel - 1 : channel + 1].find(isFree);
    if (!other) return { refusal: `Both channels beside ${channel} are taken; the other ear needs one.` };
    pair[1 - side] = other;
  }
  return { pair };
}

/** The usual pair that a channel belongs to: 1 and 2, 3 and 4; the last two of an odd number. Null for a device with one channel. */
function partners(channel, count) {
  const first = Math.min(channel - (channel + 1) % 2, count - 1);
  return first < 1 ? null : [first, first + 1];
}

/** A cell in words, for screen readers: "Listener 2, channel 3, left ear". */
export function cellWords(pairs, titles, listener, channel) {
  const ear = earOn(pairs[listener], channel);
  const holder = holderOf(pairs, channel);
  const state = ear ? `${ear} ear` : holder >= 0 ? `taken by ${titles[holder]}` : 'free';
  return `${titles[listener]}, channel ${channel}, ${state}`;
}

/** A listener's present pair in words. */
export function playedWords(title, pair, count) {
  if (!pair) return `${title} is not played on the device.`;
  const missing = pair.filter((channel) => channel > count);
  const words = `${title} is played on channels ${pair[0]} (left) and ${pair[1]} (right)`;
  return missing.length === 0 ? `${words}.`
    : `${words}, but the device has ${count}: ${missing.length === 2 ? 'neither is' : `${missing[0]} is not`} heard.`;
}
