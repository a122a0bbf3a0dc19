import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Throttle } from '../../../js/shared/numbers/throttle.js';
import { FakeClock } from '../../fixture.js';

test('the first value is sent at once, then one every interval, and always the last', async () => {
  const clock = new FakeClock();
  const sent = [];
  const pace = new Throttle(4, (value) => sent.push([clock.time, value]), clock);
  pace.offer('a');
  await clock.pass(1);
  pace.offer('b');
  await clock.pass(1);
  pace.offer('c');
  await clock.pass(10);
  pace.offer('d');
  assert.deepEqual(sent, [[0, 'a'], [4, 'c'], [12, 'd']]);
});
