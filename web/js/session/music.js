import { counted } from '../shared/numbers/units.js';

const words = {
  stopped: 'Stopped', connecting: 'Connecting…', buffering: 'Buffering…', playing: 'Playing', failed: 'Failed',
};

/** The state of the music in words, with the number of connections that were lost. */
export function musicWords(state, losses) {
  const lost = losses > 0 ? `, connection lost ${losses === 1 ? 'once' : counted(losses, 'time')}` : '';
  return `${words[state] ?? 'Stopped'}${lost}`;
}
