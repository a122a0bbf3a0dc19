import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rotation } from '../../js/view/sphere-geometry.js';
import { earPlaces } from '../../js/view/sphere-marks.js';

test('the ears turn with the head, and wait at the edges of a picture that does not reach them', () => {
  const [left, right] = earPlaces({ head: rotation(20), field: 90 }, 90, 1.5);
  assert.deepEqual([left.azimuth, right.azimuth], [110, -70]);
  assert.deepEqual([left.isInside, right.isInside], [false, false]);
  assert.ok(left.x < -0.9 && right.x > 0.9);
});

test('ears further in front stand at their places', () => {
  const [left, right] = earPlaces({ head: rotation(0), field: 90 }, 30, 1.5);
  const wanted = Math.tan(Math.PI / 6);
  assert.ok(left.isInside && Math.abs(left.x + wanted) < 1e-9 && Math.abs(right.x - wanted) < 1e-9);
});
