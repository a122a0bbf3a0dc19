import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encodeMessage } from '../../../js/shared/connection/osc.js';
import { SenderClock, timetag } from '../../../js/shared/connection/sender-clock.js';

test('a timetag holds seconds in its upper half and fractions in its lower', () => {
  assert.equal(timetag(3976000000.5), (3976000000n << 32n) | (1n << 31n));
});

test('sent messages carry a time tag', () => {
  const clock = new SenderClock(() => 3976000000.25);
  const bundle = decode(clock.timed(encodeMessage('/listener/1/ypr', [1, 2, 3])));
  assert.equal(bundle.time, (3976000000n << 32n) | (1n << 30n));
  assert.deepEqual(bundle.packets[0].values, [1, 2, 3]);
  // Without a clock, messages are sent unchanged.
  const plain = encodeMessage('/listener/1/gain', [1]);
  assert.deepEqual(new SenderClock(undefined).timed(plain), plain);
  assert.equal(new SenderClock(undefined).offer, null);
});

test('messages sent together share one time tag', () => {
  const messages = [encodeMessage('/object/1/azimuth', [30]), encodeMessage('/object/1/distance', [2])];
  const bundle = decode(new SenderClock(() => 3976000000).timed(...messages));
  assert.deepEqual(bundle.packets.map(({ address }) => address), ['/object/1/azimuth', '/object/1/distance']);
  assert.equal(decode(new SenderClock(undefined).timed(...messages)).packets.length, 2);
});

test('a clock request is answered with its number and two times', () => {
  let time = 3976000000;
  const clock = new SenderClock(() => { time += 0.001; return time; });
  const answers = [];
  assert.equal(clock.take({ address: '/clock/ask', values: [7] }, (bytes) => answers.push(decode(bytes))), true);
  assert.equal(answers[0].types, 'idd');
  assert.equal(answers[0].values[0], 7);
  assert.ok(answers[0].values[2] > answers[0].values[1]);
  assert.equal(clock.take({ address: '/clock/known', values: [] }, () => assert.fail()), true);
  assert.equal(clock.take({ address: '/listener/1/gain', values: [1] }, () => assert.fail()), false);
});
