import { card } from '../shared/controls/card.js';
import { element, setText } from '../shared/drawing/element.js';
import { PairedClients } from '../engine/paired-clients.js';
import { roles } from '../shared/tree/roles.js';
import { GroupRow } from './group-row.js';
import { ListenerPages } from './listener-pages.js';
import { nodeOf } from './node-of.js';
import { PhoneRow } from './phone-row.js';
import { renameDialog } from './rename-dialog.js';

/** Phones that the card shows at most. */
const most = 200;

/** Everybody who listens over the network, and the groups in which they play together. */
export default {
  topic: 'engine', needs: [roles.groupMove], isWide: true, make: phonesCard,
  shows: [
    roles.groupName, roles.groupDelay, roles.groupMute, roles.groupMove, roles.groupMembers, roles.groupRecording, roles.clientDevice,
    roles.clientMode, roles.clientBattery, roles.clientCharging, roles.clientDelay,
  ],
};

/** The packed recordings that the engine serves; none when it serves none. */
async function packedRecordings(world) {
  try {
    const answer = await world.fetch('/recordings/list.json');
    return answer.ok ? await answer.json() : [];
  } catch {
    return [];
  }
}

function phonesCard(page, _, { world, listener }) {
  const names = renameDialog(page);
  const rows = new Map();
  const list = element('ul', { class: 'phones', 'aria-label': 'Phones' });
  const none = element('p', { class: 'help' }, 'Nobody listens over the network. ',
    element('a', { href: '/listen' }, 'Listen'), ' on a phone joins.');
  // Engines without tokens have no such card.
  new PairedClients(world).list().then((clients) => {
    if (clients) none.append(' The code on the card “Paired phones and browsers” brings it there.');
  }, () => {});
  const problem = element('p', { class: 'listener-problem', role: 'alert' });
  const place = { from: 0, search: 'listening', count: most, pause: 1000 };
  const pages = new ListenerPages(world, place, show, (text) => setText(problem, text));
  const send = (each, role, value) => {
    page.send(nodeOf(listener, each, role), [value]);
    pages.go({});
  };
  const packages = packedRecordings(world);
  const groups = page.root.findAll(roles.groupMove).map((move) => new GroupRow(page, move.parent, (to) => {
    page.send(move, [to]);
    pages.go({});
  }, packages));
  const groupTitle = (number) => groups[number - 1]?.title ?? '';

  function show({ listeners }) {
    setText(problem, '');
    const phones = listeners.filter(({ isWired, clients }) => !isWired && clients > 0);
    none.hidden = phones.length > 0;
    for (const number of rows.keys()) if (!phones.some((each) => each.number === number)) rows.delete(number);
    const wanted = phones.map((each) => {
      if (!rows.has(each.number)) {
        rows.set(each.number, new PhoneRow(groups.length, {
          mute: (phone) => send(phone, roles.listenerMute, !phone.isMuted),
          group: (phone, number) => send(phone, roles.listenerGroup, number),
          rename: (phone) => names.ask(phone, (name) => send(phone, roles.listenerName, name)),
        }));
      }
      const row = rows.get(each.number);
      row.show(each, groupTitle);
      return row.element;
    });
    // Rows that stay are not moved, because one may have the focus.
    const isOther = wanted.length !== list.children.length || wanted.some((row, index) => list.children[index] !== row);
    if (isOther) list.replaceChildren(...wanted);
  }

  const all = element('div', {}, problem, none, list);
  let isInView = false;
  const look = () => (isInView && !document.hidden ? pages.start() : pages.stop());
  const made = card('Phones', 'Everybody who listens over the network, and groups in which they play together.',
    all,
    element('details', { class: 'more' }, element('summary', {}, 'Groups'),
      element('p', { class: 'help' },
        'Members of a group play at the same time: choose a delay that the slowest of their networks can keep. Their pages can play a '
        + 'packed recording in place of the engine’s sound, each from its beginning.'),
      element('ul', { class: 'phone-groups' }, groups.map((group) => group.element))),
    names.element);
  const observer = new IntersectionObserver((entries) => {
    isInView = entries.at(-1).isIntersecting;
    look();
  });
  observer.observe(all);
  document.addEventListener('visibilitychange', look);
  page.onEnd(() => {
    pages.stop();
    observer.disconnect();
    document.removeEventListener('visibilitychange', look);
  });
  return element('div', { class: 'cards listeners' }, made);
}
