import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundOf, visible } from '../../../js/shared/numbers/histogram.js';

test('the histogram shows all bins with counts', () => {
  assert.deepEqual(visible([0, 0, 0, 4, 1, 0, 0, 0]), [1, 7]);
  assert.deepEqual(visible([3, 0]), [0, 2]);
  assert.deepEqual(visible([]), [0, 0]);
  assert.equal(boundOf(4), 0.5);
});
