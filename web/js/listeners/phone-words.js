import { counted } from '../shared/numbers/units.js';

/** Modes of a client in words for people. */
const modes = {
  'server-rendered': 'rendered by the engine', 'client-rendered': 'rendered on the phone', offline: 'plays a packed recording',
};

/** Name and mode of a client: "iPhone, Safari; rendered by the engine". */
export function clientText(client) {
  if (!client) return 'a program';
  return [client.name, modes[client.mode]].filter(Boolean).join('; ') || 'a browser';
}

/** Charge of the battery: "80 %, charging"; empty where it is not known. */
export function batteryText(client) {
  if (client?.battery === undefined) return '';
  return `${client.battery} %${client.isCharging ? ', charging' : ''}`;
}

/** Whether a listener of the network hears something: the engine's sound, or a packed recording in its place. */
export const isListening = ({ isWired, clients, isHeld, client }) => !isWired && (clients > 0 || (isHeld && client?.mode === 'offline'));

/** Phones that match a search but are not shown: "200 of 312 phones are shown. …"; empty when all are. */
export function restText(shown, matching) {
  return matching > shown ? `${shown} of ${matching} phones are shown. Search for a number, a name or a group to see others.` : '';
}

/** The connection in one line. */
export function linkText(stream, client) {
  if (client?.mode === 'offline') return 'not needed';
  if (!stream) return 'not measured';
  const names = { opus: 'Opus', scene: 'scene' };
  const rate = names[stream.format] ? `${names[stream.format]} ${Math.round(stream.bitrate)} kbit/s` : 'uncompressed';
  const lost = stream.lost + stream.late;
  const losses = lost + stream.leftOut === 0 ? 'none lost' : `${lost} lost, ${stream.leftOut} left out`;
  return `${rate}, ${stream.roundTrip.toFixed(1)} ms round trip, ${losses}`;
}

/** Sound that waits in a client, and the delay of its output. */
export function bufferText(stream, client) {
  const parts = [];
  if (stream) parts.push(`${Math.round(stream.buffer)} ms buffered`);
  if (client?.delay > 0) parts.push(`${Math.round(client.delay)} ms output`);
  return parts.join(', ') || '–';
}

/** Number of members: "no member", "2 members". */
export const membersText = (count) => (count > 0 ? counted(count, 'member') : 'no member');
