import { element, setText } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { Telemetry } from '../shared/connection/telemetry-socket.js';
import { roles } from '../shared/tree/roles.js';
import { counted } from '../shared/numbers/units.js';

const kinds = { query: 'Values', audio: 'Sound', telemetry: 'Telemetry', participant: 'Listening test', osc: 'OSC', camera: 'Camera' };

/** Traffic of a client in words. */
export function traffic(client) {
  const parts = [`${client.rate} frames/s`];
  if (client.round_trip !== undefined) parts.push(`${client.round_trip} ms round trip`);
  if (client.dropped > 0) parts.push(`${client.dropped} dropped`);
  return parts.join(', ');
}

/** Connected clients, read while the list is open: rate, round trip, dropped frames, and a button to disconnect each. */
export default { topic: 'engine', needs: [roles.kick], make: clientsCard };

function clientsCard(page, [kick], { world }) {
  const count = kick.parent.find(roles.count);
  const list = element('ul', { class: 'clients' });
  const summary = element('summary', {});
  const details = element('details', { class: 'more' }, summary, list);
  const rows = new Map();
  const telemetry = new Telemetry(world, ['clients'], 1, show);
  page.watch(count, ([number]) => setText(summary, counted(number ?? 0, 'connection')));
  details.addEventListener('toggle', () => (details.open ? telemetry.start() : telemetry.stop()));
  page.onEnd(() => telemetry.stop());

  function show(clients) {
    for (const [id, row] of rows) {
      if (clients.some((client) => client.id === id)) continue;
      row.element.remove();
      rows.delete(id);
    }
    for (const client of clients) {
      if (!rows.has(client.id)) rows.set(client.id, add(client));
      setText(rows.get(client.id).traffic, traffic(client));
    }
  }

  function add(client) {
    const name = `${kinds[client.kind] ?? client.kind}, ${client.name ?? client.address}`;
    const numbers = element('small', {});
    const made = element('li', {}, element('span', { class: 'client-name' }, name, numbers),
      element('button', {
        type: 'button', class: 'plain', 'aria-label': `Disconnect ${name}`, onclick: () => page.send(kick, [client.id]),
      }, 'Disconnect'));
    list.append(made);
    return { element: made, traffic: numbers };
  }

  return card('Clients', 'Connected panels, players, displays and programs.', details,
    element('p', {}, element('a', { class: 'plain', href: '/camera', target: '_blank' }, 'Cameras')));
}
