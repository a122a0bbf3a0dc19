import { ownListener } from '../playback/own-listener.js';
import { card } from '../shared/controls/card.js';
import { confirmDialog } from '../shared/controls/confirm-dialog.js';
import { control } from '../shared/controls/control.js';
import { counter } from '../shared/controls/counter.js';
import { loadBar } from '../shared/controls/load-bar.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { counted } from '../shared/numbers/units.js';
import { roles } from '../shared/tree/roles.js';
import { nodesByRole } from '../shared/tree/tree.js';
import { ListenerTable } from './listener-table.js';
import { listenerTitle } from './listener-words.js';
import { nodeOf } from './node-of.js';
import { longestName, renameDialog } from './rename-dialog.js';

const nodeRoles = {
  add: roles.listenerAdd, remove: roles.listenerRemove, keep: roles.listenerKeep, count: roles.listenerCount,
  wired: roles.listenerWired, most: roles.listenerMost, lost: roles.listenerLost, load: roles.listenerLoad,
};

/** All listeners in a table, with commands for those on the network. */
export default {
  topic: 'engine', needs: [roles.listenerAdd], shows: Object.values(nodeRoles), owns: 'container', isWide: true, make: listenersCard,
};

function listenersCard(page, nodes, { world, memory, listener, listen, choose }) {
  const found = nodesByRole(page.root, nodeRoles);
  if (!memory.has('listeners')) memory.set('listeners', { from: 0, search: '', page: null, focused: null });
  const question = confirmDialog(page);
  const names = renameDialog(page);
  const table = new ListenerTable(world, memory.get('listeners'), listener?.name, {
    choose: ({ number }) => choose(String(number)),
    rename: (each) => names.ask(each, (name) => {
      page.send(nodeOf(listener, each, roles.listenerName), [name]);
      table.refresh();
    }),
    remove: (each) => question.ask(`Remove ${listenerTitle(each)}?`, 'Its settings and its rack are lost. This cannot be undone.',
      'Remove', () => {
        page.send(found.remove, [each.number]);
        table.refresh();
      }),
  });
  page.onEnd(() => table.end());
  const made = card('Listeners', 'The heads in the scene: wired listeners on the sound device, and network listeners. '
    + 'Select one to show it on the page Head.',
  summary(page, found), table.element, shownLink(listener), commands(page, found, listen, () => table.refresh()),
  question.element, names.element);
  return element('div', { class: 'cards listeners' }, made);
}

/** Counts, load, and the reason for lost blocks. */
function summary(page, { count, most, lost, load }) {
  const number = element('dd', {}, '–');
  const words = element('p', { class: 'help listener-lost', role: 'status', hidden: true });
  const show = () => setText(number, `${page.values.number(count)} of ${page.values.number(most)}`);
  for (const node of [count, most]) page.watch(node, show);
  page.watch(lost, ([blocks]) => {
    words.hidden = !(blocks > 0);
    setText(words, `${counted(blocks, 'block')} of network listeners ${blocks === 1 ? 'was' : 'were'} lost since the start, because `
      + 'rendering took longer than real time. These listeners heard gaps; the sound device was not affected. '
      + 'Choose a cheaper method, or remove listeners.');
  });
  return element('div', { class: 'listener-summary' },
    element('dl', { class: 'counts' },
      element('div', { class: 'count', title: `${count.help} ${most.title}: ${most.help}` }, element('dt', {}, 'Listeners'), number),
      counter(page, lost)),
    element('div', { class: 'loads' }, loadBar(page, load)), words);
}

/** Link to the head of the listener that is chosen. */
const shownLink = (listener) => listener && element('p', { class: 'listener-shown' },
  element('a', { class: 'plain', href: `#head&listener=${encodeURIComponent(listener.name)}` }, `Show ${listener.title} on Head`));

/** Everything that changes the list: for those who may control, apart from listening. */
function commands(page, { add, keep, count, wired, most }, listen, refresh) {
  const field = element('input', {
    type: 'text', id: uniqueId('listener'), autocomplete: 'off', spellcheck: 'false', maxlength: longestName,
  });
  const join = element('button', { type: 'button', class: 'plain', onclick: () => listen.join() }, 'Listen as my own listener');
  const joining = element('div', { class: 'listener-join' }, join, element('p', { class: 'help' },
    'Creates a network listener for this browser, which it keeps after a reload, and plays it.'));
  const form = element('form', {
    class: 'control listener-command',
    onsubmit: (event) => {
      event.preventDefault();
      page.send(add, [field.value.trim()]);
      field.value = '';
      refresh();
    },
  }, element('label', { for: field.id }, 'Name of a new listener'),
  element('div', { class: 'text-line' }, field, element('button', { type: 'submit', class: 'plain' }, 'Add listener')),
  element('p', { class: 'help' }, 'Sessions keep only listeners with a name. The name may be empty.'));
  const kept = element('div', { class: 'listener-command' }, control(page, withoutRange(keep)));
  const full = element('p', { class: 'help' });
  const show = () => {
    const [all, own, largest] = [count, wired, most].map((node) => page.values.number(node));
    const isFull = all >= largest;
    setText(full, own === largest ? 'This server was started without network listeners (--network-listeners 0).'
      : isFull ? 'The maximum number of listeners is reached. Remove one, or start the server with a larger --network-listeners.' : '');
    full.hidden = full.textContent === '';
    form.hidden = isFull;
    kept.hidden = own === largest;
    joining.hidden = isFull && !ownListener();
  };
  for (const node of [count, wired, most]) page.watch(node, show);
  return element('div', { class: 'listener-more' }, full, joining, form, kept);
}

/** A node for which a field is made, where a slider over a day would be useless. */
const withoutRange = (node) => Object.create(node, { range: { value: null } });
