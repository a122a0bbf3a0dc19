import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeadHistory } from '../../js/view/head-history.js';
import { rotated, rotation } from '../../js/view/sphere-geometry.js';

const yawAt = (heads, time) => {
  const [x, y] = rotated(heads.at(time), [1, 0, 0]);
  return (Math.atan2(y, x) * 180) / Math.PI;
};

test('the head of a past time is between its neighbours', () => {
  const heads = new HeadHistory();
  assert.equal(heads.at(1), null);
  for (let time = 0; time <= 2.001; time += 0.02) heads.add(rotation(50 * time), time);
  assert.ok(Math.abs(yawAt(heads, 1.234) - 61.7) < 0.01, `${yawAt(heads, 1.234)}`);
  assert.ok(Math.abs(yawAt(heads, 9) - 100) < 0.01);
});

test('a head that turned at a known time was as before until then', () => {
  const heads = new HeadHistory();
  heads.add(rotation(0), 1);
  heads.add(rotation(90), 2, 1.7);
  heads.add(rotation(90), 3, 1.7);
  for (const [time, yaw] of [[1.5, 0], [1.699, 0], [1.701, 90], [2.5, 90]]) {
    assert.ok(Math.abs(yawAt(heads, time) - yaw) < 0.01, `${time}: ${yawAt(heads, time)}`);
  }
});

test('what is older than three seconds is forgotten', () => {
  const heads = new HeadHistory();
  for (let time = 0; time <= 100; time += 1) heads.add(rotation(time), time);
  assert.ok(yawAt(heads, 0) > 95, `${yawAt(heads, 0)}`);
});
