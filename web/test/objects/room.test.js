import assert from 'node:assert/strict';
import { test } from 'node:test';
import { genericNodes } from '../../js/shared/controls/control-kind.js';
import { materialsOf, Room } from '../../js/objects/room.js';
import { stateWords } from '../../js/objects/room-card.js';
import '../../js/panel/cards.js';
import { readTree } from '../../js/shared/tree/tree.js';
import { Values } from '../../js/shared/tree/values.js';
import { freshTree } from '../fixture.js';

const near = (actual, expected, tolerance = 1e-6) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

function roomOf() {
  const root = readTree(freshTree());
  const values = new Values();
  values.load(root);
  return { room: new Room(root), values };
}

test('the room is found by its roles, and each of its nodes has a display', () => {
  const { room } = roomOf();
  assert.ok(room.isThere);
  assert.deepEqual(genericNodes(room.on.parent), []);
  assert.deepEqual(genericNodes(room.walls[0].parent), []);
});

test('the outline is there while the room is on: turned, at its place, in the colours of its walls', () => {
  const { room, values } = roomOf();
  assert.deepEqual(room.outline(values), []);
  values.set(room.on.path, [true]);
  values.set(room.size.path, [8, 6, 3]);
  values.set(room.place.path, [1, 0, -1.5]);
  values.set(room.turn.path, [90]);
  values.set(room.materials.path, ['glass\t#bfe0e6\tSingle pane of glass\nwood\t#a6713c\tWood']);
  values.set(room.walls[0].path, ['glass']);
  const walls = room.outline(values);
  assert.equal(walls.length, 4);
  const [colour, positions] = walls[0];
  assert.equal(colour, '#bfe0e6');
  // The front wall of a room that is turned to the left is at the left: 4 m to the left of its middle.
  for (const { azimuth, distance } of positions) near(distance * Math.sin((azimuth * Math.PI) / 180), 4);
  const [, behind] = walls[1];
  for (const { azimuth, distance } of behind) near(distance * Math.sin((azimuth * Math.PI) / 180), -4);
  const ahead = positions.map(({ azimuth, distance }) => distance * Math.cos((azimuth * Math.PI) / 180));
  near(Math.max(...ahead), 1 + 3);
  near(Math.min(...ahead), 1 - 3);
});

test('materials are read from their list', () => {
  const materials = materialsOf('glass\t#bfe0e6\tSingle pane of glass\nwood\t#a6713c\tWood\n');
  assert.deepEqual([...materials.keys()], ['glass', 'wood']);
  assert.deepEqual(materials.get('wood'), { colour: '#a6713c', title: 'Wood' });
});

test('the state of the room has words', () => {
  assert.equal(stateWords(''), 'Objects are in a free field.');
  assert.match(stateWords('ready: 0.6 s reverberation at 1 kHz'), /0\.6 s/);
  assert.match(stateWords('failed: place puts the listeners into a wall'), /still active.*into a wall/);
  assert.equal(stateWords('loading: walls and late field'), 'The room is being computed.');
});
