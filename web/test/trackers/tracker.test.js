import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlKind, genericNodes, hasDisplay } from '../../js/shared/controls/control-kind.js';
import { ageText, trackersAt, trackersOf } from '../../js/trackers/tracker.js';
import '../../js/panel/cards.js';
import { listenersOf, readTree } from '../../js/shared/tree/tree.js';
import { Values } from '../../js/shared/tree/values.js';
import { freshTree } from '../fixture.js';

test('a tracker is found by its roles, and each of its nodes has a display', () => {
  const [tracker, ...others] = trackersOf(readTree(freshTree()));
  assert.equal(others.length, 0);
  for (const part of ['source', 'listener', 'state', 'inCharge', 'pose', 'rate', 'age', 'recenter', 'orientation', 'problem',
    'calibrate', 'cancel', 'guide']) assert.ok(tracker[part], `${part} was not found`);
  const rest = genericNodes(tracker.container);
  assert.ok(rest.length > 5 && rest.every((node) => !hasDisplay(node) && controlKind(node)));
  assert.ok(rest.some((node) => node.has('tracker.mount')));
});

test('the trackers of a listener are the attached ones that control it', () => {
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

test('ages as short text', () => {
  assert.deepEqual([4.4, 999, 1500, 59_900, 61_000].map(ageText), ['4 ms', '999 ms', '1.5 s', '59.9 s', '1 min']);
});
