import { numberText } from '../shared/numbers/units.js';

const sources = { camera: 'Camera', screen: 'Screen', microphone: 'Microphone' };
const admissions = { everyone: 'open to everyone', named: 'named peers only', ask: 'asks each time' };

/** An offer in words, such as “Camera, asks each time”. */
export const offerWords = ({ source, sound, admit }) =>
  [sources[source] + (sound && source !== 'microphone' ? ' with sound' : ''), admissions[admit]].join(', ');

/** Name of a peer; names that any client could have chosen are marked. */
export const peerName = ({ name, paired }) => (paired ? name : `${name} (not paired)`);

const problems = {
  NotAllowedError: 'The browser was not allowed to use it. Allow it for this address in the settings of the browser, and try again.',
  NotFoundError: 'No camera or microphone found. Connect one and try again.',
  NotReadableError: 'Another program is using it, or the system denies the browser access.',
  OverconstrainedError: 'It does not support the requested format. Choose another one.',
  AbortError: 'The browser could not start it. Try again.',
};

/** Reason why a camera, a screen or a microphone could not be opened. */
export const captureProblem = (source, error) =>
  `${sources[source]}: ${problems[error.name] ?? error.message}`;

/** Reason why a link has ended, in words for its receiver. */
export const endWords = (name, reason) => ({
  denied: `${name} has refused.`, stopped: `${name} has stopped the transmission to this browser.`, ended: `${name} no longer sends.`,
})[reason] ?? '';

/** Bits per second. */
export const rateWords = (bitrate) =>
  (bitrate >= 1e6 ? `${numberText(bitrate / 1e6, 1)} Mbit/s` : `${numberText(bitrate / 1e3, 0)} kbit/s`);

/** Measurements of a link: rate, size, frames left out, delay; unknown ones are left out. */
export function linkWords({ bitrate, width, height, rate, skipped, late, delay }) {
  const parts = [rateWords(bitrate)];
  if (width) parts.push(`${width} × ${height}`);
  if (rate !== undefined) parts.push(`${numberText(rate, 0)} pictures/s`);
  parts.push(`${skipped + late} left out`);
  if (delay?.middle !== undefined) parts.push(`${numberText(delay.middle, 0)} ms delay, 95 % within ${numberText(delay.most, 0)} ms`);
  return parts.join(', ');
}
