import { counted } from '../shared/numbers/units.js';

/** The sound's format in words. */
function formatWords({ format, bitrate, milliseconds, reason, profile }) {
  if (format === 'scene') return `the whole scene, ${profile} quality, ${milliseconds} ms packets, rendered here`;
  if (format === 'opus') return `Opus ${Math.round(bitrate / 1000)} kbit/s, ${milliseconds} ms packets`;
  return `uncompressed, ${milliseconds} ms packets${reason ? `: ${reason}` : ''}`;
}

/**
 * The state of the sound in one line, `short` and `long` after it, and its details.
 *
 * @param numbers of the player
 */
export function listenWords(numbers) {
  const { playing, dropped, late, refused, underruns, bufferMilliseconds, targetMilliseconds, concealedMilliseconds, drift } = numbers;
  const { stream } = numbers;
  const losses = dropped + underruns === 0 ? 'none lost' : `${dropped} lost, ${counted(underruns, 'gap')}`;
  const delay = `${Math.round(bufferMilliseconds)} ms`;
  const facts = [
    `${losses}, ${late} late, ${refused} refused; ${(concealedMilliseconds / 1000).toFixed(1)} s concealed`,
    `${delay} buffered, ${Math.round(targetMilliseconds)} ms wanted; clock ${Math.round(drift)} ppm`,
  ];
  if (stream) facts.unshift(formatWords(stream));
  if (stream?.link) {
    const { roundTrip, overflow, changes } = stream.link;
    facts.push(`round trip ${roundTrip.toFixed(1)} ms; ${overflow} left out by the engine; ${counted(changes, 'change')} of quality`);
  }
  if (!playing) return { short: 'Waiting for sound', long: '', facts };
  const names = { opus: `, Opus ${Math.round((stream?.bitrate ?? 0) / 1000)}`, scene: `, scene in ${stream?.profile} quality` };
  const name = names[stream?.format] ?? '';
  return { short: delay, long: ` buffered, ${losses}${name}`, facts };
}
