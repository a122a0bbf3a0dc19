import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlKind, genericNodes, hasDisplay } from '../js/control-kind.js';
import { ageText, trackersAt, trackersOf } from '../js/tracker-card.js';
import { listenersOf, readTree } from '../js/tree.js';
import { Values } from '../js/values.js';
import { freshTree } from './fixture.js';

test('a tracker is found by its roles, and everything of it has a place', () => {
  const [tracker, ...others] = trackersOf(readTree(freshTree()));
  assert.equal(others.length, 0);
  for (const part of ['source', 'listener', 'state', 'inCharge', 'pose', 'rate', 'age', 'recenter', 'orientation', 'problem',
    'calibrate', 'cancel', 'guide']) assert.ok(tracker[part], `${part} was not found`);
  const rest = genericNodes(tracker.container);
  assert.ok(rest.length > 5 && rest.every((node) => !hasDisplay(node) && controlKind(node)));
  assert.ok(rest.some((node) => node.has('tracker.mount')));
});

test('the trackers of a head are those that are attached and turn it', () => {
  const root = readTree(freshTree());
  const values = new Values();
  values.load(root);
  const [listener] = listenersOf(root);
  const trackers = trackersOf(root);
  assert.equal(trackersAt(trackers, values, listener).length, 0);
  values.set(trackers[0].source.path, ['mach1:9898']);
  assert.equal(trackersAt(trackers, values, listener).length, 1);
  values.set(trackers[0].listener.path, [2]);
  assert.equal(trackersAt(trackers, values, listener).length, 0);
});

test('ages are short', () => {
  assert.deepEqual([4.4, 999, 1500, 59_900, 61_000].map(ageText), ['4 ms', '999 ms', '1.5 s', '59.9 s', '1 min']);
});
