import { PlaylistRow } from './playlist-row.js';
import { dropPlace } from './playlist.js';
import { namesIn } from './session.js';
import { card } from '../shared/controls/card.js';
import { edgeStep } from '../shared/controls/edge-step.js';
import { onEscape } from '../shared/controls/escape.js';
import { control } from '../shared/controls/control.js';
import { namesOf, picker } from '../shared/controls/picker.js';
import { uploadButton } from '../shared/controls/upload.js';
import { element } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { nodesByRole } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

/** The recordings that play one after the other. */
export default {
  topic: 'session',
  needs: [roles.deckList],
  shows: [roles.deckList, roles.deckAdd, roles.deckRemove, roles.deckMove, roles.deckClear, roles.deckPlay, roles.deckNext,
    roles.deckPrevious, roles.deckCurrent],
  owns: 'subtree',
  make: playlistCard,
};

function playlistCard(page) {
  const deck = nodesByRole(page.root, {
    list: roles.deckList, add: roles.deckAdd, remove: roles.deckRemove, move: roles.deckMove, clear: roles.deckClear, play: roles.deckPlay,
    next: roles.deckNext, previous: roles.deckPrevious, current: roles.deckCurrent, repeat: roles.deckRepeat,
    crossfade: roles.deckCrossfade, known: roles.listedRecordings,
  });
  const none = element('p', { class: 'help' }, 'No recordings yet. Added recordings play one after the other.');
  const list = element('ol', { class: 'playlist', 'aria-label': 'Playlist' });
  const rows = [];
  const add = (name) => page.send(deck.add, [name]);
  const places = () => rows.slice(0, namesIn(page.values.of(deck.list)[0]).length);
  const move = (row, to) => {
    const place = Math.min(Math.max(to, 1), places().length);
    if (place === row.place) return;
    page.send(deck.move, [row.place, place]);
    // The focus follows the recording.
    rows[place - 1].focus();
  };
  const actions = {
    play: (row) => page.send(deck.play, [row.place]),
    remove: (row) => page.send(deck.remove, [row.place]),
    move: (row, by) => move(row, row.place + by),
    drag: (row, event) => drag(row, event, places, (to) => move(row, to)),
  };
  const button = (node, shape) => element('button', {
    type: 'button', class: 'round', 'aria-label': node.title, title: node.help, onclick: () => page.send(node, []),
  }, icon(shape, 22));
  const [previous, next] = [button(deck.previous, 'previous'), button(deck.next, 'next')];
  const clear = element('button', {
    type: 'button', class: 'plain', title: deck.clear.help, onclick: () => page.send(deck.clear, []),
  }, deck.clear.title);
  const show = () => {
    const names = namesIn(page.values.of(deck.list)[0]);
    while (rows.length < names.length) rows.push(new PlaylistRow(rows.length + 1, actions));
    const current = page.values.number(deck.current);
    names.forEach((name, index) => rows[index].show(name, index + 1 === current));
    fit(list, rows, names.length);
    none.hidden = names.length > 0;
    list.hidden = names.length === 0;
    clear.hidden = names.length < 2;
    previous.disabled = next.disabled = names.length === 0;
  };
  page.watch(deck.list, show);
  page.watch(deck.current, show);
  show();
  const known = () => namesOf(page.values.of(deck.known)[0]).map(([name]) => name);
  return card('Playlist', 'Recordings that play one after the other.',
    element('div', { class: 'playlist-head', role: 'group', 'aria-label': 'Playlist' }, previous, next), none, list,
    element('div', { class: 'playlist-edit' }, deck.known && picker(page, deck.known, 'Add a recording', namesOf, add), clear),
    deck.known && uploadButton(page, 'recordings', { names: known, done: add, target: list }),
    element('div', { class: 'controls' }, control(page, deck.repeat), control(page, deck.crossfade)));
}

/** Keeps the first `count` rows in the list. The focus stays at its place, or moves to the last row where its own is removed. */
function fit(list, rows, count) {
  const isFocused = rows.slice(count).some((row) => row.element.contains(document.activeElement));
  rows.slice(count).forEach((row) => row.element.remove());
  list.append(...rows.slice(list.children.length, count).map((row) => row.element));
  if (isFocused && count > 0) rows[count - 1].focus();
}

/** Follows a pointer that drags a row by its grip, marks the place, scrolls at the edges, and calls `drop`. Escape cancels. */
function drag(row, start, places, drop) {
  const grip = start.currentTarget;
  const scroller = grip.closest('main');
  let to = row.place;
  let at = start.clientY;
  start.preventDefault();
  grip.setPointerCapture(start.pointerId);
  const side = (place) => (place !== to || to === row.place ? '' : to < row.place ? 'before' : 'behind');
  const mark = () => places().forEach((each) => each.mark(side(each.place)));
  const look = () => {
    to = dropPlace(places().map((each) => each.element.getBoundingClientRect()), at) + 1;
    mark();
  };
  const scroll = () => {
    const box = scroller.getBoundingClientRect();
    const step = edgeStep(at, box.top, box.bottom);
    if (step === 0) return;
    scroller.scrollTop += step;
    look();
  };
  const end = (isDropped) => {
    const target = to;
    to = row.place;
    mark();
    clearInterval(timer);
    unwatch();
    grip.onpointermove = grip.onpointerup = grip.onpointercancel = null;
    if (isDropped) drop(target);
  };
  const unwatch = onEscape(() => end(false));
  const timer = setInterval(scroll, 30);
  grip.onpointermove = (event) => {
    at = event.clientY;
    look();
  };
  grip.onpointerup = () => end(true);
  grip.onpointercancel = () => end(false);
}
