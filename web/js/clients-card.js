import { element, setText } from './element.js';
import { card } from './group.js';
import { Telemetry } from './telemetry.js';

const kinds = { query: 'Values', audio: 'Sound', telemetry: 'Telemetry', osc: 'OSC' };

/** What is said of a client's traffic. */
export function traffic(client) {
  const parts = [`${client.rate} frames/s`];
  if (client.round_trip !== undefined) parts.push(`${client.round_trip} ms round trip`);
  if (client.dropped > 0) parts.push(`${client.dropped} left out`);
  return parts.join(', ');
}

/**
 * Who is connected, while somebody looks: rate, round trip, frames left out, and a door.
 *
 * `count` is the node that says how many there are, `kick` the one that ends one.
 */
export function clientsCard(page, world, count, kick) {
  const list = element('ul', { class: 'devices' });
  const summary = element('summary', {});
  const details = element('details', { class: 'more' }, summary, list);
  const rows = new Map();
  const telemetry = new Telemetry(world, ['clients'], 1, show);
  page.watch(count, ([number]) => setText(summary, number === 1 ? '1 connection' : `${number ?? 0} connections`));
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
    const name = `${kinds[client.kind] ?? client.kind}, ${client.device ?? client.address}`;
    const numbers = element('small', {});
    const made = element('li', {}, element('span', { class: 'client-name' }, name, numbers),
      element('button', {
        type: 'button', class: 'plain', 'aria-label': `Kick ${name}`, onclick: () => page.send(kick, [client.id]),
      }, 'Kick'));
    list.append(made);
    return { element: made, traffic: numbers };
  }

  return card('Clients', 'Panels, players, displays and programs that are connected.', details);
}
