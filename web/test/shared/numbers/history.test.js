import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History, roundAbove } from '../../../js/shared/numbers/history.js';

test('a history drops points older than its length', () => {
  const history = new History(60);
  history.take(0, [1]);
  history.take(30, [2]);
  history.take(61, [3]);
  assert.deepEqual(history.since(61).map(([, values]) => values[0]), [2, 3]);
  assert.equal(history.since(200).length, 0);
});

test('scales end at a round number that is not below the value', () => {
  assert.deepEqual([0.3, 1, 1.01, 7, 20, 21, 730].map(roundAbove), [0.5, 1, 2, 10, 20, 50, 1000]);
  assert.equal(roundAbove(0), 1);
  assert.equal(roundAbove(NaN), 1);
});
