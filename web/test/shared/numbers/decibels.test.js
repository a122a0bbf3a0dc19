import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClipLatch, PeakHold, decibelText, place, placeOf, toDecibels } from '../../../js/shared/numbers/decibels.js';

test('linear levels in dB', () => {
  assert.equal(toDecibels(1), 0);
  assert.ok(Math.abs(toDecibels(0.5) + 6.0206) < 1e-4);
  assert.equal(toDecibels(0), -Infinity);
});

test('a meter begins at -60 dB and ends at +6 dB', () => {
  assert.equal(place(-60), 0);
  assert.equal(place(-27), 0.5);
  assert.equal(place(6), 1);
  assert.equal(place(-Infinity), 0);
  assert.equal(place(20), 1);
  assert.ok(placeOf(0.5) > placeOf(0.25));
});

test('levels as text', () => {
  assert.equal(decibelText(-6.02), '−6.0');
  assert.equal(decibelText(-Infinity), '−∞');
  assert.equal(decibelText(0), '0.0');
});

test('a peak stays for 1.5 s, then falls 24 dB a second', () => {
  const hold = new PeakHold();
  assert.equal(hold.take(-6, 10), -6);
  assert.equal(hold.take(-30, 11.4), -6);
  assert.equal(hold.take(-30, 12), -18);
  assert.equal(hold.take(-10, 12), -10);
  assert.equal(hold.at(13.5), -10);
  assert.equal(hold.at(30), -Infinity);
});

test('clipping is held until it is reset', () => {
  const clip = new ClipLatch();
  assert.equal(clip.take(0.999), false);
  assert.equal(clip.take(1), true);
  assert.equal(clip.take(0.1), true);
  clip.reset();
  assert.equal(clip.isSet, false);
});
