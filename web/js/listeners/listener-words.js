import { decibelText, toDecibels } from '../shared/numbers/decibels.js';
import { counted, numberText } from '../shared/numbers/units.js';

/** A listener in words: "Listener 5", "Listener 5, Anna". */
export const listenerTitle = ({ number, name }) => `Listener ${number}${name ? `, ${name}` : ''}`;

/** The place at which a listener is heard, in words. */
export function placeText({ isWired, channels, clients, isHeld, client, seconds }) {
  if (isWired) return channels ? `device channels ${channels.replace(',', ', ')}` : 'no device channels';
  if (clients > 0) return counted(clients, 'client');
  if (isHeld) return client?.mode === 'offline' ? 'plays a recording' : 'connected, not listening';
  return seconds === undefined ? 'added, no client' : `kept for ${numberText(Math.ceil(seconds), 0)} s`;
}

/** Yaw, pitch and roll in degrees. */
export const poseText = (angles) => angles.map((angle) => `${numberText(angle, 0)}°`).join('  ');

/** Levels of both ears in words. */
export const levelText = (levels) => `${levels.map((level) => decibelText(toDecibels(level))).join(' and ')} dB`;

/** Motion-to-sound latency in milliseconds; without poses there is none. */
export const latencyText = (milliseconds) => (milliseconds === undefined ? '–' : `${milliseconds.toFixed(1)} ms`);

/** Poses per second. */
export const rateText = (rate) => (rate > 0 ? numberText(rate, rate < 10 ? 1 : 0) : '–');

/** The rows that a page shows: "1 to 10 of 256"; with a search, how many there are of all. */
export function rangeText({ from, matching, total, listeners }) {
  if (matching === 0) return '';
  const found = matching === total ? `${total}` : `${matching} found, ${total} in all`;
  return `${from + 1} to ${from + listeners.length} of ${found}`;
}
