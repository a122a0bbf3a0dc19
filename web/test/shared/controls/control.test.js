import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlKind, genericContainers, genericNodes, hasDisplay } from '../../../js/shared/controls/control-kind.js';
import { linear, logarithmic, taperFor } from '../../../js/shared/numbers/taper.js';
import '../../../js/panel/cards.js';
import '../../../js/panel/panel.js';
import { readTree } from '../../../js/shared/tree/tree.js';
import { clockText, decimalsFor, numberText, readoutText, spokenTime, withUnit } from '../../../js/shared/numbers/units.js';
import { freshTree, treeWithMicrophones } from '../../fixture.js';

const node = (json) => readTree({ FULL_PATH: '/x', DESCRIPTION: 'X.', ACCESS: 3, ...json });

test('every writable node has either a display or a generic control', () => {
  for (const tree of [freshTree(), treeWithMicrophones()]) {
    const root = readTree(tree);
    const generic = genericContainers(root).flatMap(genericNodes);
    for (const each of root.all()) {
      if (!each.isWritable) continue;
      assert.notEqual(generic.includes(each), hasDisplay(each), `${each.path} is shown twice or not at all`);
      assert.ok(controlKind(each) && controlKind(each) !== 'readout', `${each.path} cannot be set`);
    }
  }
});

test('displays replace the generic controls of exactly the nodes that they set', () => {
  const taken = [...readTree(freshTree()).all()].filter((each) => each.isWritable && hasDisplay(each));
  // A fresh tree has three racks.
  const racks = ['rack.add', 'rack.layout', 'rack.load', 'rack.preset', 'rack.remove', 'rack.save', 'rack.bypass', 'rack.side', 'rack.copy']
    .flatMap((role) => [role, role, role]);
  const roles = taken.map((each) => each.tags.find((tag) => !['logarithmic', 'circular'].includes(tag)) ?? each.extendedTypes[0]).sort();
  const object = ['add', 'air', 'autoplay', 'azimuth', 'bubble', 'channel', 'directivity', 'distance', 'doppler', 'elevation', 'gain',
    'group', 'list', 'mute', 'name', 'path', 'pitch', 'reference', 'remove', 'renderer', 'solo', 'source', 'xyz', 'yaw']
    .map((part) => `object.${part}`);
  const objectGroups = ['gain', 'mute', 'name', 'xyz', 'yaw'].flatMap((part) => Array(16).fill(`object-group.${part}`));
  const tests = ['compare', 'definition', 'listener', 'pair', 'participant', 'seed', 'start', 'stop'].map((part) => `test.${part}`);
  const room = ['early', 'late', 'load', 'lock', 'on', 'order', 'own', 'place', 'size', 'turn', ...Array(6).fill('wall')]
    .map((part) => `room.${part}`);
  const midi = ['clear', 'learn', 'mapping', 'message', 'rack'].map((part) => `midi.${part}`);
  const looper = ['clear', 'overdub', 'play', 'record', 'redo', 'undo'].map((part) => `looper.${part}`);
  const listeners = ['add', 'keep', 'output', 'remove'].map((part) => `listener.${part}`);
  const clients = ['battery', 'charging', 'delay', 'mode', 'name'].map((part) => `client.${part}`);
  const groups = ['delay', 'move', 'mute', 'name', 'recording'].flatMap((part) => Array(8).fill(`group.${part}`));
  const cues = ['back', 'clear', 'entry', 'entry-fire', 'fire', 'go', 'remove', 'renumber', 'select', 'stop', 'store'];
  const takes = ['array', 'delete', 'ears', 'format', 'input', 'name', 'pre-roll', 'start', 'stop', 'use-pre-roll']
    .map((part) => `take.${part}`);
  const deck = ['add', 'clear', 'list', 'move', 'next', 'play', 'previous', 'remove'].map((part) => `deck.${part}`);
  assert.deepEqual(roles,
    ['music.run', ...clients, ...groups, ...cues.map((part) => `cue-list.${part}`), ...deck, 'array.source',
      'cue.play', ...listeners, ...looper, 'device.order', 'device.select', 'gesture', 'kick', 'library.delete', 'loop',
      ...object, ...objectGroups, 'orientation.euler.ypr', 'pause', 'play',
      ...racks, ...midi, ...takes, ...tests, 'recenter', 'recording', 'redo', ...room,
      'seek', 'session.compare', 'session.delete',
      'session.duplicate', 'session.load', 'session.rename', 'session.revert', 'session.save', 'session.save-as', 'stop',
      'tracker.calibrate', 'undo',
      'tracker.cancel', 'tracker.listener', 'tracker.orientation', 'tracker.recenter', 'tracker.source'].sort());
});

test('each kind of node gets its control', () => {
  assert.equal(controlKind(node({ TYPE: 'f', RANGE: [{ MIN: 0, MAX: 1 }] })), 'slider');
  assert.equal(controlKind(node({ TYPE: 'i', RANGE: [{ MIN: 0, MAX: 2147483647 }] })), 'number');
  assert.equal(controlKind(node({ TYPE: 'T', RANGE: [null] })), 'switch');
  assert.equal(controlKind(node({ TYPE: 's', RANGE: [{ VALS: ['a', 'b', 'c'] }] })), 'segments');
  assert.equal(controlKind(node({ TYPE: 's', RANGE: [{ VALS: ['a', 'b', 'c', 'd', 'e'] }] })), 'select');
  assert.equal(controlKind(node({ TYPE: 's', RANGE: [null] })), 'text');
  assert.equal(controlKind(node({ TYPE: 'N', ACCESS: 2 })), 'button');
  assert.equal(controlKind(node({ TYPE: 'ffff' })), 'vector');
  assert.equal(controlKind(node({ TYPE: '', TAGS: ['row'] })), 'row');
  assert.equal(controlKind(node({ TYPE: 'ff', TAGS: ['row'] })), 'row');
  assert.equal(controlKind(node({ TYPE: 'f', ACCESS: 1 })), 'readout');
  assert.equal(controlKind(node({ TYPE: 'f', ACCESS: 1, TAGS: ['progress'] })), 'progress');
  assert.equal(controlKind(readTree({ FULL_PATH: '/', CONTENTS: {} })), null);
});

test('tapers are invertible and reach both ends', () => {
  for (const taper of [linear(-60, 12), logarithmic(20, 20000)]) {
    for (let share = 0; share <= 1; share += 0.125) {
      assert.ok(Math.abs(taper.toShare(taper.toValue(share)) - share) < 1e-12);
    }
  }
  assert.equal(linear(-60, 12).toValue(1), 12);
  assert.ok(Math.abs(logarithmic(20, 20000).toValue(1) - 20000) < 1e-9);
  assert.ok(Math.abs(logarithmic(10, 1000).toValue(0.5) - 100) < 1e-9, 'the middle is the geometric mean');
  assert.equal(linear(0, 1).toShare(7), 1);
});

test('a node is logarithmic only when it is tagged and its range is positive', () => {
  const range = [{ MIN: 20, MAX: 20000 }];
  assert.ok(taperFor(node({ TYPE: 'f', RANGE: range, TAGS: ['logarithmic'] })).toValue(0.5) < 700);
  assert.equal(taperFor(node({ TYPE: 'f', RANGE: range })).toValue(0.5), 10010);
  assert.equal(taperFor(node({ TYPE: 'f', RANGE: [{ MIN: 0, MAX: 10 }], TAGS: ['logarithmic'] })).toValue(0.5), 5);
});

test('numbers, units and times as text', () => {
  assert.equal(numberText(-0.04, 1), '0');
  assert.equal(numberText(-12.5, 1), '−12.5');
  assert.equal(numberText(100, 0), '100');
  assert.equal(readoutText(0.0875), '0.0875');
  assert.equal(readoutText(48000), '48\u202f000');
  assert.equal(withUnit('3', 'gain.db'), '3\u00a0dB');
  assert.equal(withUnit('90', 'angle.degree'), '90°');
  assert.equal(withUnit('3', ''), '3');
  assert.equal(decimalsFor({ minimum: -60, maximum: 12 }), 1);
  assert.equal(clockText(65.9), '1:05');
  assert.equal(clockText(3605), '1:00:05');
  assert.equal(spokenTime(65), '1 minute 5 seconds');
  assert.equal(spokenTime(3600), '1 hour');
  assert.equal(spokenTime(0), '0 seconds');
});
