import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrayWords } from '../../js/session/array-source.js';
import { hasDisplay } from '../../js/shared/controls/control-kind.js';
import { readTree } from '../../js/shared/tree/tree.js';
import { roles } from '../../js/shared/tree/roles.js';
import { freshTree } from '../fixture.js';

test('the state of a live array is told in words', () => {
  assert.equal(arrayWords(true, 'jack', 4.646, ''), 'jack is heard 4.6 ms after its converter. Pause mutes it.');
  assert.equal(arrayWords(true, 'jack', 0, ''), 'Waits for jack.');
  assert.equal(arrayWords(true, 'jack', 0, 'The array jack delivers no sound.'), 'The array jack delivers no sound.');
  assert.equal(arrayWords(true, 'file:/takes/field.wav', 0, ''), 'Waits for field.wav.');
  assert.equal(arrayWords(false, 'alsa:hw:1', 0, ''), 'The live array alsa:hw:1 is not heard.');
});

test('the array has a display of its own', () => {
  const root = readTree(freshTree());
  for (const role of [roles.arraySource, roles.arrayInput, roles.arrayLatency, roles.arrayProblem]) {
    assert.ok(hasDisplay(root.find(role)), role);
  }
});
