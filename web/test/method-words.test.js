import assert from 'node:assert/strict';
import test from 'node:test';
import { choiceText, heardCount } from '../js/method-words.js';

test('the ear that hears more microphones counts', () => {
  assert.equal(heardCount([0.5, 0.5, 0, 0, 0, -0.3, 0.9, 0.4]), 3);
  assert.equal(heardCount([1, 0, 0, 0.001]), 1);
  assert.equal(heardCount([]), 0);
});

test('counts are said in words', () => {
  assert.equal(choiceText(0), 'nothing is heard now');
  assert.equal(choiceText(1), 'one microphone for each ear');
  assert.equal(choiceText(16), '16 microphones for each ear');
});
