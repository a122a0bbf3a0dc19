import { outputDelay } from '../../shared/sound/output-delay.js';

/** Seconds by which the measured delay of the sound may differ from the estimated one. */
const plausible = 0.3;

/** Seconds from a context to the ear, as the browser reports them. */
export const latencyOf = (context) => (context?.baseLatency ?? 0) + (context?.outputLatency ?? 0);

/** Seconds from a context to the ear: those that the browser reports, and those that the microphone has measured besides. */
export const outputOf = (context) => latencyOf(context) + outputDelay();

/**
 * Seconds to the ear of sound that comes from the engine: `sound` from the engine's position, `head` from a turn of the head.
 *
 * @param numbers of the player; `latency`, seconds of the renderer, while this browser renders
 * @param measured seconds from the engine to the ear; null while they are not known
 */
export function engineDelays(context, mode, numbers, measured) {
  const { bufferMilliseconds, packetMilliseconds, latency = 0, stream } = numbers;
  const output = outputOf(context) + latency;
  // The newest sound in the buffer left the engine half a packet ago on average.
  const estimate = output + (bufferMilliseconds + packetMilliseconds / 2) / 1000;
  const sound = measured !== null && Math.abs(measured - estimate) < plausible ? measured : estimate;
  // The engine renders for a head that has travelled there, into packets that travel back.
  const trip = ((stream?.milliseconds ?? 0) + (stream?.link?.roundTrip ?? 0)) / 1000;
  return { sound, head: mode === 'client' ? output : sound + trip };
}
