import { card } from '../shared/controls/card.js';
import { control } from '../shared/controls/control.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { materialsOf, Room } from './room.js';
import { namesOf, picker } from '../shared/controls/picker.js';
import { uploadButton } from '../shared/controls/upload.js';
import { roles } from '../shared/tree/roles.js';

/** The room of the sound objects: whether they are in it, its size and place, and the materials of its walls. */
export default {
  topic: 'objects',
  needs: [roles.roomOn, roles.roomSize, roles.roomWall],
  shows: [roles.roomOn, roles.roomSize, roles.roomPlace, roles.roomTurn, roles.roomOrder, roles.roomEarly, roles.roomLate,
    roles.roomLock, roles.roomLoad, roles.roomState, roles.roomMaterials, roles.roomOwn, roles.roomWall, roles.listedRooms],
  isWide: true,
  make: roomCard,
};

function roomCard(page) {
  const room = new Room(page.root);
  if (!room.isThere) return null;
  const parts = (...nodes) => nodes.filter(Boolean).map((node) => control(page, node));
  const edited = [
    element('fieldset', { class: 'room-edit' }, parts(room.size, room.place, room.turn, room.order)),
    element('fieldset', { class: 'room-edit' }, walls(page, room), loader(page, room)),
  ];
  if (room.lock) {
    page.watch(room.lock, ([isLocked]) => edited.forEach((part) => { part.disabled = Boolean(isLocked); }));
  }
  const made = card('Room', 'Reflections and reverberation around the objects. The map shows the outline of the room while it is on.',
    element('div', { class: 'room' },
      element('div', { class: 'room-sound' }, parts(room.on), state(page, room.state), parts(room.lock, room.early, room.late)),
      edited));
  return element('div', { class: 'objects is-single' }, made);
}

function state(page, node) {
  const words = element('p', { class: 'help room-state', role: 'status' });
  if (node) page.watch(node, ([text]) => setText(words, stateWords(text)));
  return words;
}

/** The state of the room in a sentence. */
export function stateWords(text) {
  if (!text) return 'Objects are in a free field.';
  const [, word, detail] = /^(\w+)(?:: (.*))?$/s.exec(text) ?? [];
  if (word === 'ready') return `The room is active: ${detail}.`;
  if (word === 'failed') return `The previous room is still active: ${detail}.`;
  return 'The room is being computed.';
}

/** A choice of material for each wall. */
function walls(page, room) {
  return element('div', { class: 'room-walls', role: 'group', 'aria-label': 'Walls' }, room.walls.map((wall) => {
    const id = uniqueId('wall');
    const colour = element('span', { class: 'room-colour', 'aria-hidden': 'true' });
    const select = element('select', { id, onchange: () => page.send(wall, [select.value]) });
    const fill = () => {
      const materials = materialsOf(page.values.of(room.materials)[0]);
      const [current = ''] = page.values.of(wall);
      const names = [...materials.keys(), ...(current && !materials.has(current) ? [current] : [])];
      if (names.join('\n') !== [...select.options].map((option) => option.value).join('\n')) {
        select.replaceChildren(...names.map((name) => element('option', { value: name }, materials.get(name)?.title ?? name)));
      }
      select.value = current;
      colour.style.background = materials.get(current)?.colour ?? '';
    };
    page.watch(room.materials, fill);
    page.watch(wall, fill);
    fill();
    return element('div', { class: 'room-wall' }, colour, element('label', { for: id, title: wall.help }, wall.title), select);
  }));
}

/** Loads a room of the rooms folder, and sends files there; the choice is hidden while there is none. */
function loader(page, room) {
  const list = page.root.find(roles.listedRooms);
  if (!room.load || !list) return null;
  const line = element('div', { class: 'room-load' }, element('span', {}, 'Load a room'),
    picker(page, list, 'Load a room', namesOf, (name) => page.send(room.load, [name])));
  page.watch(list, ([names]) => { line.hidden = !names; });
  return [line, uploadButton(page, 'rooms', {
    names: () => namesOf(page.values.of(list)[0]).map(([name]) => `${name}.json`), done: (name) => page.send(room.load, [name]),
  })];
}
