import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dropPlace } from '../../js/session/playlist.js';

const boxes = [{ bottom: 50 }, { bottom: 100 }, { bottom: 150 }];

test('a height belongs to the row that holds it', () => {
  assert.equal(dropPlace(boxes, 10), 0);
  assert.equal(dropPlace(boxes, 60), 1);
  assert.equal(dropPlace(boxes, 149), 2);
});

test('beyond the rows it belongs to the first or the last', () => {
  assert.equal(dropPlace(boxes, -80), 0);
  assert.equal(dropPlace(boxes, 400), 2);
});
