import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headFrom, product } from '../../js/phone/device-orientation.js';

/** Yaw to the left, pitch up, roll to the right, in degrees, as the engine reads a quaternion. */
function angles([w, x, y, z]) {
  const degrees = (radians) => (radians * 180) / Math.PI;
  return [
    degrees(Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))),
    degrees(Math.asin(Math.max(-1, Math.min(1, 2 * (x * z - w * y))))),
    degrees(Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))),
  ];
}

function near(found, expected) {
  found.forEach((value, index) => assert.ok(Math.abs(value - expected[index]) < 1e-6, `${found} is not ${expected}`));
}

const of = (alpha, beta, gamma) => ({ alpha, beta, gamma });

test('a phone flat on the head has the head\'s yaw, pitch and roll', () => {
  // W3C: alpha turns to the left seen from above, beta raises the top, gamma lowers the right edge.
  near(angles(headFrom(of(0, 0, 0))), [0, 0, 0]);
  near(angles(headFrom(of(40, 0, 0))), [40, 0, 0]);
  near(angles(headFrom(of(0, 30, 0))), [0, 30, 0]);
  near(angles(headFrom(of(0, 0, 20))), [0, 0, 20]);
  near(angles(headFrom(of(40, 30, 20))), [40, 30, 20]);
});

test('the rotation of the screen is compensated', () => {
  // The phone is turned left by a quarter, so its content is turned right: the front stays where it was.
  near(angles(headFrom(of(90, 0, 0), 90)), [0, 0, 0]);
  near(angles(headFrom(of(-90, 0, 0), 270)), [0, 0, 0]);
  // The phone's right edge is then its top: lowering the left edge raises the head.
  near(angles(headFrom(of(90, 0, -25), 90)), [0, 25, 0]);
});

test('an upright phone in front of the face points through its screen', () => {
  near(angles(headFrom(of(0, 90, 0), 0, true)), [0, 0, 0]);
  near(angles(headFrom(of(35, 90, 0), 0, true)), [35, 0, 0]);
  near(angles(headFrom(of(0, 115, 0), 0, true)), [0, 25, 0]);
  // The same in landscape.
  const landscape = headFrom(of(0, 0, -90), 90, true);
  assert.ok(Math.abs(angles(landscape)[1]) < 1e-6 && Math.abs(angles(landscape)[2]) < 1e-6);
});

test('quaternions have length 1, and an incomplete event gives null', (t) => {
  let seed = 5;
  t.diagnostic(`seed ${seed}`);
  const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647);
  for (let i = 0; i < 1000; i += 1) {
    const head = headFrom(of(random() * 360, random() * 360 - 180, random() * 180 - 90), [0, 90, 180, 270][i % 4], i % 3 === 0);
    assert.ok(Math.abs(Math.hypot(...head) - 1) < 1e-12);
  }
  assert.equal(headFrom(of(null, null, null)), null);
  assert.equal(headFrom(of(0, NaN, 0)), null);
  near(product([0, 1, 0, 0], [0, 0, 1, 0]), [0, 0, 0, 1]);
});
