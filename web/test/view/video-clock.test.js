import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VideoClock } from '../../js/view/video-clock.js';

/**
 * A player with frames of 40 ms against a sound whose clock is another: it shows frames late, and seeks to the nearest frame after some
 * time. Returns the distances in milliseconds, and the seeks, from a time on.
 */
function play({ begin, drift = 0, seconds, seekTakes = 0.12, from = 0 }) {
  const clock = new VideoClock();
  let [place, rate, busy] = [begin, 1, 0];
  const distances = [];
  const step = 0.04;
  for (let now = 0; now < seconds; now += step) {
    place += step * rate * (1 + drift);
    if (now < busy) continue;
    const { rate: wanted, seek } = clock.follow(place, now, now);
    if (seek !== undefined) {
      [place, busy, rate] = [seek, now + seekTakes, 1];
      // While it seeks, the picture stands.
      place -= seekTakes;
    } else {
      rate = wanted;
    }
    if (now >= from) distances.push(1000 * Math.abs(place - now));
  }
  return { largest: Math.max(...distances), seeks: clock.seeks, clock };
}

test('a small distance is closed by the rate alone', () => {
  const { largest, seeks } = play({ begin: 0.1, seconds: 10, from: 6 });
  assert.ok(largest < 5, `${largest} ms`);
  assert.equal(seeks, 0);
});

test('a large one is closed by a seek', () => {
  const { largest, seeks } = play({ begin: 30, seconds: 12, from: 8 });
  assert.ok(largest < 5, `${largest} ms`);
  assert.ok(seeks >= 1 && seeks <= 3, `${seeks} seeks`);
});

test('a clock that is 500 ppm fast does not drift away in ten minutes', () => {
  const { largest, seeks } = play({ begin: 0, drift: 5e-4, seconds: 600, from: 590 });
  assert.ok(largest < 5, `${largest} ms`);
  assert.equal(seeks, 0);
});

test('a machine whose seeks take long is not kept from playing by them', () => {
  const { largest, seeks } = play({ begin: 30, seconds: 30, seekTakes: 0.7, from: 20 });
  assert.ok(largest < 5, `${largest} ms`);
  assert.ok(seeks <= 4, `${seeks} seeks`);
});

test('a machine that never keeps up seeks more and more rarely', () => {
  const { seeks } = play({ begin: 30, drift: -0.4, seconds: 80 });
  assert.ok(seeks >= 5 && seeks <= 20, `${seeks} seeks`);
});

test('the statistics are those of the distances', () => {
  const clock = new VideoClock();
  for (const milliseconds of [1, 2, 3, 4, 100]) clock.follow(10 + milliseconds / 1000, 10, 0);
  const { median, p95, frames } = clock.statistics;
  assert.ok(Math.abs(median - 3) < 1e-6 && Math.abs(p95 - 100) < 1e-6 && frames === 5, JSON.stringify(clock.statistics));
  clock.reset();
  assert.equal(clock.statistics.frames, 0);
});
