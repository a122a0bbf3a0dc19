import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  anglesAt, between, direction, inverse, matrix, onScreen, product, rotated, rotation, toSide,
} from '../../js/view/sphere-geometry.js';

const near = (one, two) => one.forEach((value, index) => assert.ok(Math.abs(value - two[index]) < 1e-9, `${one} is not ${two}`));

/** Rotation matrix for yaw, pitch and roll by its formula: front, left and up of a head that first rolls, then pitches, then yaws. */
function frontOf(yaw, pitch) {
  const [y, p] = [yaw, pitch].map((degrees) => (degrees * Math.PI) / 180);
  return [Math.cos(p) * Math.cos(y), Math.cos(p) * Math.sin(y), Math.sin(p)];
}

test('yaw turns to the left, pitch upwards, roll lowers the right ear', () => {
  for (const yaw of [-170, -30, 0, 45, 120]) {
    for (const pitch of [-80, 0, 35]) near(rotated(rotation(yaw, pitch, 20), [1, 0, 0]), frontOf(yaw, pitch));
  }
  const right = rotated(rotation(0, 0, 30), [0, -1, 0]);
  near(right, [0, -Math.cos(Math.PI / 6), -0.5]);
});

test('a matrix has the rotated axes as columns', () => {
  const turn = rotation(37, -12, 8);
  near(matrix(turn).slice(0, 3), rotated(turn, [1, 0, 0]));
  near(matrix(turn).slice(6), rotated(turn, [0, 0, 1]));
});

test('a rotation and its opposite cancel', () => near(product(rotation(10, 20, 30), inverse(rotation(10, 20, 30))), [1, 0, 0, 0]));

test('between two rotations the shorter way is taken', () => {
  near(rotated(between(rotation(170), rotation(-170), 0.5), [1, 0, 0]), [-1, 0, 0]);
  near(between(rotation(0), rotation(20).map((value) => -value), 0.5), rotation(10));
});

test('directions are drawn where a pinhole camera shows them', () => {
  const field = 90;
  near(Object.values(onScreen(rotation(0), direction(45), field, 1)), [-1, 0]);
  near(Object.values(onScreen(rotation(45), direction(45), field, 2)), [0, 0]);
  // The longer side has the whole field, the shorter one the same scale.
  near(Object.values(onScreen(rotation(0), direction(0, 20), field, 2)), [0, 2 * Math.tan(Math.PI / 9)]);
  near(Object.values(onScreen(rotation(0), direction(-20), field, 0.5)), [2 * Math.tan(Math.PI / 9), 0]);
  assert.equal(onScreen(rotation(0), direction(135), field, 1), null);
});

test('a place on the screen has the direction that is drawn there', () => {
  for (const [yaw, pitch, roll] of [[0, 0, 0], [140, 20, 5], [-60, -35, 0]]) {
    for (const aspect of [0.5, 1.8]) {
      const head = rotation(yaw, pitch, roll);
      const at = { x: 0.4, y: -0.7 };
      const { azimuth, elevation } = anglesAt(head, at, 80, aspect);
      const again = onScreen(head, direction(azimuth, elevation), 80, aspect);
      assert.ok(Math.abs(again.x - at.x) < 0.003 && Math.abs(again.y - at.y) < 0.003, `${JSON.stringify(again)}`);
    }
  }
});

test('a direction behind the viewer is on one of two sides', () => {
  assert.equal(toSide(rotation(0), direction(170)), 1);
  assert.equal(toSide(rotation(0), direction(-170)), -1);
  assert.equal(toSide(rotation(90), direction(45)), -1);
});
