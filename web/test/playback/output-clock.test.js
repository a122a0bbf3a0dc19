import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutputClock } from '../../js/playback/stream/output-clock.js';

test('the clock of the output beside that of the page is the median of its looks', () => {
  const page = { performance: { timeOrigin: 1_000_000, now: () => 0 } };
  const late = [0, 0.004, -0.002, 0.9, 0.001];
  const context = {
    getOutputTimestamp: () => ({ contextTime: 20 + late[0], performanceTime: 12_000 }),
  };
  const clock = new OutputClock(context, page);
  assert.equal(clock.offset, null);
  while (late.length > 0) {
    clock.look();
    late.shift();
  }
  assert.ok(Math.abs(clock.offset - (20.001 - 12 - 1000)) < 1e-9, `${clock.offset}`);
});

test('without a time of the output the declared latency counts', () => {
  const page = { performance: { timeOrigin: 0, now: () => 3000 } };
  const clock = new OutputClock({ currentTime: 10, outputLatency: 0.05 }, page);
  clock.look();
  assert.ok(Math.abs(clock.offset - (10 - 0.05 - 3)) < 1e-9);
});
