import { inOrder, parseCue } from './cue.js';
import { CueEditor } from './cue-editor.js';
import { cueListOf } from './cue-list.js';
import { CueRow } from './cue-row.js';
import { arrange, element, setText } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { control } from '../shared/controls/control.js';
import { namesIn } from '../session/session.js';
import { roles } from '../shared/tree/roles.js';

/** The cue list: Go, Back, Stop all, and the cues in the order of their numbers. */
export default {
  topic: 'session',
  needs: [roles.cueListGo],
  shows: [roles.cueListGo, roles.cueListBack, roles.cueListSelect, roles.cueListFire, roles.cueListStop, roles.cueListStore,
    roles.cueListRemove, roles.cueListRenumber, roles.cueListClear, roles.cueListCurrent, roles.cueListStandby, roles.cueListWaiting,
    roles.cueListRemaining, roles.cueListEntry, roles.cueListEntryFire],
  owns: 'subtree',
  make: cueListCard,
};

function cueListCard(page) {
  const list = cueListOf(page.root);
  const none = element('p', { class: 'help' }, 'No cues yet. Press “New cue” to add a scene, a sound, a recording or an OSC message.');
  const rows = element('ol', { class: 'cue-rows', 'aria-label': 'Cues' });
  const cues = new Map();
  const known = new Map();
  const ordered = () => inOrder([...cues]);
  const all = () => [...cues.values()].filter(Boolean);
  const editor = new CueEditor(page, (node, text) => (node ? page.send(node, [text]) : page.send(list.store, [text])));
  const remove = element('button', { type: 'button', class: 'plain', onclick: () => page.send(list.clear, []) }, list.clear.title);
  const actions = {
    select: ({ cue }) => page.send(list.select, [cue.number]),
    fire: ({ node }) => page.send(node.parent.find(roles.cueListEntryFire), []),
    edit: ({ node, cue }) => editor.edit(node, cue, all()),
    // The cue and its neighbour exchange their numbers.
    move: ({ node, cue }, by) => {
      const order = ordered();
      const other = order[order.findIndex(([each]) => each === node) + by]?.[1];
      if (other) page.send(list.renumber, [Number(cue.number), Number(other.number)]);
    },
  };
  const numberOf = (node) => (page.values.of(node)[0] ?? '').split(' ')[0];
  const show = () => {
    const order = ordered();
    const [standby, current, waiting] = [numberOf(list.standby), numberOf(list.current), namesIn(page.values.of(list.waiting)[0])];
    const shown = order.map(([node, cue]) => {
      if (!known.has(node)) known.set(node, new CueRow(node, actions));
      const { number } = cue;
      const state = number === standby ? 'standby' : waiting.includes(number) ? 'waiting' : number === current ? 'current' : '';
      known.get(node).show(cue, state);
      return known.get(node).element;
    });
    arrange(rows, shown);
    none.hidden = order.length > 0;
    rows.hidden = order.length === 0;
    remove.hidden = order.length < 2;
  };
  for (const node of list.entries) {
    page.watch(node, ([text]) => {
      const cue = parseCue(text);
      if (!cue && !cues.get(node)) return;
      cues.set(node, cue);
      show();
    });
  }
  for (const node of [list.standby, list.current, list.waiting]) page.watch(node, show);
  show();
  return card('Cue list', 'Cues in the order of their numbers. Go fires the cue on standby (Alt+G).', head(page, list), none, rows,
    element('div', { class: 'button-row cue-edit' },
      element('button', { type: 'button', class: 'plain', onclick: () => editor.edit(null, null, all()) }, 'New cue'),
      remove),
    element('div', { class: 'controls' }, control(page, list.triggers)), editor.element);
}

/** Go, Back and Stop all, with the cue on standby, the one fired last, and the wait. */
function head(page, list) {
  const standby = element('strong', { class: 'cue-next' });
  const words = element('p', { class: 'help cue-now' });
  const go = element('button', { type: 'button', class: 'cue-go', title: 'Alt+G', onclick: () => page.send(list.go, []) }, 'Go');
  const button = (node) => element('button', { type: 'button', class: 'plain', onclick: () => page.send(node, []) }, node.title);
  const show = () => {
    const of = (node) => page.values.of(node)[0] ?? '';
    const [waiting, remaining] = [namesIn(of(list.waiting)), Number(of(list.remaining))];
    setText(standby, of(list.standby) || 'none');
    go.disabled = !of(list.standby);
    const wait = waiting.length === 0 ? '' : `waiting: ${waiting.join(', ')}${remaining > 0 ? ` (${remaining.toFixed(1)} s)` : ''}`;
    setText(words, [of(list.current) ? `Fired last: ${of(list.current)}` : 'No cue fired yet', wait].filter(Boolean).join('; '));
  };
  for (const node of [list.standby, list.current, list.waiting, list.remaining]) page.watch(node, show);
  show();
  return element('div', { class: 'cue-head' }, go,
    element('div', { class: 'cue-state-words' }, element('p', { role: 'status' }, 'On standby: ', standby), words),
    element('div', { class: 'session-buttons' }, button(list.back), button(list.stop)));
}
