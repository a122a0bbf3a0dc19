import assert from 'node:assert/strict';
import test from 'node:test';
import { choiceText, heardCount } from '../../js/head/method-words.js';

test('the larger number of both ears counts', () => {
  assert.equal(heardCount([0.5, 0.5, 0, 0, 0, -0.3, 0.9, 0.4]), 3);
  assert.equal(heardCount([1, 0, 0, 0.001]), 1);
  assert.equal(heardCount([]), 0);
});

test('counts in words', () => {
  assert.equal(choiceText(0), 'no microphone is audible');
  assert.equal(choiceText(1), 'one microphone per ear');
  assert.equal(choiceText(16), '16 microphones per ear');
});
