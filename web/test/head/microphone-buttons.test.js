import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pressed } from '../../js/head/microphone-buttons.js';

test('a press mutes a microphone and unmutes it again', () => {
  assert.deepEqual(pressed([], 1, 4, false), [0, 1, 0, 0]);
  assert.deepEqual(pressed([0, 1], 1, 4, false), [0, 0, 0, 0]);
});

test('solo leaves one microphone, then another, then all', () => {
  assert.deepEqual(pressed([0, 0, 1, 0], 1, 4, true), [1, 0, 1, 1]);
  assert.deepEqual(pressed([1, 0, 1, 1], 2, 4, true), [1, 1, 0, 1]);
  assert.deepEqual(pressed([1, 1, 0, 1], 2, 4, true), [0, 0, 0, 0]);
});
