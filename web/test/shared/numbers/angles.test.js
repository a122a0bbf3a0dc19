import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canvasAngle, fromScreen, headingInShort, headingInWords, headingOf, tiltInWords, toScreen, wrap, yawFor }
  from '../../../js/shared/numbers/angles.js';

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

test('azimuth +90 lies on the left of the picture, the front at its top', () => {
  const left = toScreen(90, 100, 200, 300);
  near(left.x, 100);
  near(left.y, 300);
  const front = toScreen(0, 100, 200, 300);
  near(front.x, 200);
  near(front.y, 200);
  const right = toScreen(-90, 100);
  near(right.x, 100);
});

test('a point on the picture has the azimuth it was drawn at', () => {
  for (let azimuth = -179; azimuth <= 180; azimuth += 7) {
    const { x, y } = toScreen(azimuth, 50, 7, -3);
    near(wrap(fromScreen(x, y, 7, -3) - azimuth), 0);
  }
});

test('the canvas draws an azimuth where the picture has it', () => {
  for (const azimuth of [0, 30, 90, -120, 180]) {
    const { x, y } = toScreen(azimuth, 1);
    near(Math.cos(canvasAngle(azimuth)), x);
    near(Math.sin(canvasAngle(azimuth)), y);
  }
});

test('angles wrap to -180 (excluded) to 180', () => {
  assert.deepEqual([0, 180, -180, 181, -181, 360, 540, -725].map(wrap), [0, 180, 180, -179, 179, 0, 180, -5]);
});

test('heading is yaw minus front, also across 180 degrees', () => {
  assert.equal(headingOf(10, 30), -20);
  assert.equal(headingOf(-170, 170), 20);
  for (const front of [-180, -77, 0, 150]) near(wrap(headingOf(yawFor(35, front), front) - 35), 0);
});

test('headings in words name the correct side', () => {
  assert.equal(headingInWords(30), '30 degrees to the left');
  assert.equal(headingInWords(-1), '1 degree to the right');
  assert.equal(headingInWords(0.3), 'straight ahead');
  assert.equal(headingInWords(180), 'straight back');
  assert.deepEqual(headingInShort(-44.6), { number: '45°', side: 'to the right' });
  assert.equal(tiltInWords(-5, 'up', 'down'), '5° down');
  assert.equal(tiltInWords(0, 'up', 'down'), 'level');
});
