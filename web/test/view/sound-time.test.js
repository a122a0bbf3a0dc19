import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SoundTime } from '../../js/view/sound-time.js';

test('messages that come late by different amounts give the time of the earliest', () => {
  const time = new SoundTime();
  time.setPlaying(true, 0);
  for (let now = 0; now < 3; now += 1 / 30) {
    // A position is 0 to 30 ms old when it arrives; every fourth one is not.
    const age = Math.round(now * 30) % 4 === 0 ? 0 : (Math.round(now * 300) % 31) / 1000;
    time.take(5 + now - age, now);
  }
  assert.ok(Math.abs(time.at(3.5) - 8.5) < 0.001, `${time.at(3.5)}`);
});

test('a jump counts at once', () => {
  const time = new SoundTime();
  time.setPlaying(true, 0);
  time.take(1, 1);
  time.take(60, 1.5);
  assert.equal(time.at(2), 60.5);
  time.take(3, 2.5);
  assert.equal(time.at(3), 3.5);
});

test('messages that come late together are no jump, those that stay late are one', () => {
  const time = new SoundTime();
  time.setPlaying(true, 0);
  for (let now = 0; now <= 1; now += 0.1) assert.equal(time.take(now, now), false);
  for (const position of [1.1, 1.2, 1.25]) assert.equal(time.take(position, 1.4), false);
  assert.equal(time.at(2), 2);
  assert.equal(time.take(1.45, 1.45), false);
  // A seek by 0.3 s backwards.
  const events = [1.5, 1.55, 1.65].map((now) => time.take(now - 0.3, now));
  assert.deepEqual(events, [false, false, true]);
  assert.ok(Math.abs(time.at(2) - 1.7) < 1e-9);
  assert.equal(time.take(20, 2), true);
});

test('at rest the time stands, and follows seeks', () => {
  const time = new SoundTime();
  time.setPlaying(true, 0);
  time.take(1, 1);
  time.setPlaying(false, 2);
  assert.equal(time.at(9), 2);
  time.take(7, 9.5);
  assert.equal(time.at(12), 7);
  assert.equal(time.isPlaying, false);
});

test('what is in a buffer at a jump is heard with its own times', () => {
  const time = new SoundTime();
  time.setPlaying(true, 0);
  for (let now = 0; now <= 10; now += 0.5) time.take(now, now);
  // A loop whose message comes 20 ms after the beginning: 200 ms of the end wait in a buffer.
  assert.equal(time.take(0.02, 10.22), true);
  assert.ok(Math.abs(time.at(10.1) - 10.1) < 1e-9 && Math.abs(time.at(10.19) - 10.19) < 1e-9);
  assert.ok(Math.abs(time.at(10.21) - 0.01) < 1e-9 && Math.abs(time.at(10.5) - 0.3) < 1e-9);
  // A pause forgets it.
  time.setPlaying(false, 11);
  assert.ok(Math.abs(time.at(10.1) - 0.8) < 1e-9);
});
