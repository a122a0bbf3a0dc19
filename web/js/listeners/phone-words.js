import { counted } from '../shared/numbers/units.js';

/** Modes of a client in words for people. */
const modes = { 'server-rendered': 'rendered by the engine', 'client-rendered': 'rendered on the phone', offline: 'offline' };

/** Device and mode of a client: "iPhone, Safari; rendered by the engine". */
export function clientText(client) {
  if (!client) return 'a program';
  return [client.device, modes[client.mode]].filter(Boolean).join('; ') || 'a browser';
}

/** Charge of the battery: "80 %, charging"; empty where it is not known. */
export function batteryText(client) {
  if (client?.battery === undefined) return '';
  return `${client.battery} %${client.isCharging ? ', charging' : ''}`;
}

/** The connection in one line. */
export function linkText(stream) {
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
