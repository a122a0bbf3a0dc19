import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DriftCorrection } from '../../js/listen/drift-correction.js';
import { ListenerHead, turnBy } from '../../js/listen/listener-head.js';

/** The yaw that is left of sensors that say `yaw(second)` for a few seconds, sixty times a second. */
function after(seconds, rate, yaw) {
  const head = new ListenerHead(() => {});
  head.drift.rate = rate;
  for (let event = 0; event <= 60 * seconds; event += 1) head.sense(turnBy(yaw(event / 60)), (1000 * event) / 60);
  return head;
}

test('a head at rest is drawn to the front by so many degrees a minute', () => {
  assert.ok(Math.abs(after(60, 6, () => 20).yaw - 14) < 0.01);
  assert.ok(Math.abs(after(60, 6, () => -20).yaw + 14) < 0.01);
});

test('drift that is slower than its correction does not move the front', () => {
  assert.ok(Math.abs(after(600, 3, (second) => second / 60).yaw) < 0.1);
  assert.ok(Math.abs(after(600, 0, (second) => second / 60).yaw - 10) < 1e-6);
});

test('a head that turns, or looks aside on purpose, is left alone', () => {
  assert.ok(Math.abs(after(60, 60, () => 70).yaw - 70) < 1e-9);
  const sway = after(60, 60, (second) => 20 * Math.sin(4 * second));
  assert.ok(Math.abs(sway.drift.total) < 2, `${sway.drift.total}`);
});

test('a pause counts as one second, and the first orientation for nothing', () => {
  const drift = new DriftCorrection();
  drift.rate = 60;
  assert.equal(drift.correct(turnBy(10), 10, 0), 0);
  assert.ok(Math.abs(drift.correct(turnBy(10), 10, 100_000) - 1) < 1e-9);
});

test('sensors that begin take the current direction, whichever way they point', () => {
  const head = new ListenerHead(() => {});
  head.set(90);
  head.beginSensors();
  head.sense(turnBy(-40), 0);
  assert.ok(Math.abs(head.yaw - 90) < 1e-9);
  head.sense(turnBy(-30), 16);
  assert.ok(Math.abs(head.yaw - 100) < 1e-9);
});
