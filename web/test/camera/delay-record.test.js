import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DelayRecord } from '../../js/camera/delay-record.js';

test('shares of the delays are those of the sorted list', () => {
  const record = new DelayRecord();
  assert.equal(record.share(0.5), null);
  for (let delay = 100; delay >= 1; delay -= 1) record.add(delay);
  assert.equal(record.share(0.5), 50);
  assert.equal(record.share(0.95), 95);
});

test('a picture is late against the mean of the last ten', () => {
  const record = new DelayRecord();
  for (let count = 0; count < 9; count += 1) record.add(40);
  assert.equal(record.isLate(10_000, 80), false);
  record.add(40);
  assert.equal(record.isLate(119, 80), false);
  assert.equal(record.isLate(121, 80), true);
  // A network that has become slower for good is the new measure.
  for (let count = 0; count < 10; count += 1) record.add(300);
  assert.equal(record.isLate(350, 80), false);
});

test('only the latest pictures count', () => {
  const record = new DelayRecord();
  for (let count = 0; count < 1000; count += 1) record.add(count < 500 ? 1000 : 20);
  assert.equal(record.share(1), 20);
});
