import assert from 'node:assert/strict';
import test from 'node:test';
import { sentence } from '../../../js/shared/numbers/sentence.js';

test('a text of the engine becomes a sentence', () => {
  assert.equal(sentence('the broker is away'), 'The broker is away.');
  assert.equal(sentence('it ended.'), 'It ended.');
  assert.equal(sentence(undefined), '');
});
