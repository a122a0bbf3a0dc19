import { roles } from '../shared/tree/roles.js';
import { connectionCard, counted } from './connection.js';

const countRoles = [roles.icecastListener, roles.icecastSent, roles.icecastLosses, roles.icecastLost];

/** The Icecast server: the connection's state in words, and what was sent. */
export default {
  topic: 'engine',
  needs: [roles.icecastState, roles.icecastProblem, roles.icecastServer],
  shows: [roles.icecastState, roles.icecastProblem, roles.icecastServer, ...countRoles],
  owns: 'container',
  make: (page, nodes) => connectionCard(page, 'Icecast server', 'Sends the sound of a listener to internet radio players.',
    'No server. Start the engine with --icecast to send a listener’s sound.', nodes,
    countRoles.map((role) => page.root.find(role)), sentWords),
};

/** The listener, the seconds of its sound that were sent, the connections and the milliseconds that were lost, in words. */
export function sentWords(listener, seconds, losses, lost) {
  const minutes = Math.floor(seconds / 60);
  const parts = [`${minutes > 0 ? counted(minutes, 'minute') : counted(seconds, 'second')} of sound of listener ${listener} sent`];
  if (losses > 0) parts.push(`the server lost ${losses === 1 ? 'once' : `${losses.toLocaleString('en')} times`}`);
  if (lost > 0) parts.push(`${(lost / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} s lost because the machine was too busy`);
  return `Since the start: ${parts.join(', ')}.`;
}
