import { card } from '../shared/controls/card.js';
import { arrange, element, setText, uniqueId } from '../shared/drawing/element.js';
import { PairedClients } from '../engine/paired-clients.js';
import { roles } from '../shared/tree/roles.js';
import { GroupRow } from './group-row.js';
import { ListenerPages } from './listener-pages.js';
import { nodeOf } from './node-of.js';
import { PhoneRow } from './phone-row.js';
import { isListening, restText } from './phone-words.js';
import { renameDialog } from './rename-dialog.js';

/** Phones that the card shows at most; a search finds the others. */
const most = 200;
/** Milliseconds without a key after which a search begins. */
const typing = 200;
/** Phones up to which the list needs no search. */
const few = 10;

/** Everybody who listens over the network, and the groups in which they play together. */
export default {
  topic: 'engine', needs: [roles.groupMove], isWide: true, make: phonesCard,
  shows: [
    roles.groupName, roles.groupDelay, roles.groupMute, roles.groupMove, roles.groupMembers, roles.groupRecording, roles.clientName,
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
    if (clients) none.append(' The code on the card “Paired phones and browsers” opens it there.');
  }, () => {});
  const problem = element('p', { class: 'listener-problem', role: 'alert' });
  const place = { from: 0, search: 'listening', count: most, pause: 1000 };
  const pages = new ListenerPages(world, place, show, (text) => setText(problem, text));
  let timer = null;
  const field = element('input', {
    type: 'search', id: uniqueId('search'), placeholder: 'Number, name, group', autocomplete: 'off', spellcheck: 'false',
    maxlength: 100, oninput: () => {
      world.clearTimer(timer);
      timer = world.setTimer(() => pages.go({ search: `listening ${field.value.trim()}` }), typing);
    },
  });
  const search = element('div', { class: 'listener-search', role: 'search', hidden: true },
    element('label', { for: field.id }, 'Search'), field);
  const rest = element('p', { class: 'help', role: 'status', hidden: true });
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

  function show({ listeners, matching }) {
    setText(problem, '');
    const phones = listeners.filter(isListening);
    const isSearched = field.value.trim() !== '';
    none.hidden = phones.length > 0 || isSearched;
    // A short list needs no search.
    search.hidden = !isSearched && matching <= few;
    setText(rest, isSearched && phones.length === 0 ? `No phone matches “${field.value.trim()}”.` : restText(phones.length, matching));
    rest.hidden = rest.textContent === '';
    for (const number of rows.keys()) if (!phones.some((each) => each.number === number)) rows.delete(number);
    arrange(list, phones.map((each) => {
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
    }));
  }

  const all = element('div', {}, problem, none, search, list, rest);
  let isInView = false;
  const look = () => (isInView && !document.hidden ? pages.start() : pages.stop());
  const made = card('Phones', 'All clients that listen over the network, and groups that play in synchrony.',
    all,
    element('details', { class: 'more' }, element('summary', {}, 'Groups'),
      element('p', { class: 'help' },
        'Members of a group play at the same time: choose a delay that suits the slowest of their networks. Their pages can play a '
        + 'packed recording instead of the engine’s sound, each from its beginning.'),
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
    world.clearTimer(timer);
    observer.disconnect();
    document.removeEventListener('visibilitychange', look);
  });
  return element('div', { class: 'cards listeners' }, made);
}
