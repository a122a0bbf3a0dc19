import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Attempts } from '../../js/playback/attempts.js';

test('every attempt comes later, up to four seconds, and soon again after a success', () => {
  const delays = [];
  const cleared = [];
  const attempts = new Attempts({
    setTimeout: (connect, delay) => {
      delays.push(delay);
      connect();
      return delays.length;
    },
    clearTimeout: (timer) => cleared.push(timer),
  });
  let count = 0;
  for (let attempt = 0; attempt < 6; attempt += 1) attempts.again(() => { count += 1; });
  attempts.succeed();
  attempts.again(() => { count += 1; });
  assert.deepEqual(delays, [250, 500, 1000, 2000, 4000, 4000, 250]);
  assert.equal(count, 7);
  attempts.end();
  assert.deepEqual(cleared, [7]);
});
