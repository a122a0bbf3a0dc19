import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlayingPace } from '../../js/hls/playing-pace.js';
import { SoundDates } from '../../js/hls/sound-dates.js';

test('the delay is that of the sound, whatever the clock of the browser says', () => {
  for (const skew of [0, 5000, -3600_000]) {
    const dates = new SoundDates();
    // The second part came 200 ms late; the other two when they had been rendered.
    for (const [number, late] of [0, 200, 0].entries()) {
      const date = 1_000_000 + 320 * number;
      dates.add({ begin: 0.32 * number, date, duration: 0.32 }, date + 320 + late + skew);
    }
    // The sound of 1,000,100 is played at 1,001,000.
    assert.ok(Math.abs(dates.delay(0.1, 1_001_000 + skew) - 900) < 0.01);
    assert.ok(Number.isNaN(dates.delay(7, 1_001_000 + skew)));
  }
});

test('a player far behind leaves sound out, one that is a little late plays faster until it is there', () => {
  const pace = new PlayingPace(0.96);
  assert.deepEqual(pace.follow(1.1, false, 0), { rate: 1, skip: 0 });
  assert.equal(pace.follow(1.5, false, 0).rate, 1.05);
  assert.equal(pace.follow(1.1, true, 0).rate, 1.05);
  assert.equal(pace.follow(0.9, true, 0).rate, 1);
  assert.ok(Math.abs(pace.follow(10, false, 0).skip - 9.04) < 1e-9);
});

test('after a stop the player keeps more sound ahead, within bounds, and after calm minutes less again', () => {
  const pace = new PlayingPace(0.96);
  pace.stopped(0);
  assert.ok(Math.abs(pace.wanted - 1.28) < 1e-9);
  pace.follow(1.28, false, 59_000);
  assert.ok(Math.abs(pace.wanted - 1.28) < 1e-9);
  for (let i = 0; i < 50; i += 1) pace.stopped(60_000);
  assert.equal(pace.wanted, 4);
  for (let minute = 2; minute < 20; minute += 1) pace.follow(2, false, 60_000 * minute);
  assert.equal(pace.wanted, 0.96);
});
