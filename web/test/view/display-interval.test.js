import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisplayInterval } from '../../js/view/display-interval.js';

test('the median of the display frames counts, and pauses of the page do not', () => {
  const display = new DisplayInterval();
  assert.ok(Math.abs(display.seconds - 1 / 60) < 1e-9, 'before any is known');
  let time = 5;
  for (let frame = 0; frame < 40; frame += 1) {
    display.take(time);
    time += frame % 10 === 9 ? 2 : frame % 7 === 6 ? 0.05 : 1 / 120;
  }
  assert.ok(Math.abs(display.seconds - 1 / 120) < 1e-6, `${display.seconds}`);
  for (let frame = 0; frame < 40; frame += 1) display.take((time += 0.02));
  assert.ok(Math.abs(display.seconds - 0.02) < 1e-6, 'another display');
  display.take(time);
  assert.ok(display.seconds > 0);
});
