import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delayOf } from '../../../js/listen/calibration/output-calibration.js';
import { findChirp, makeChirp } from '../../../js/shared/sound/chirp.js';
import { isMeasured, keepOutputDelay, outputDelay } from '../../../js/shared/sound/output-delay.js';

const rate = 48_000;

/** Noise, with a seed that is shown. */
function noise(t, seed, length, level) {
  t.diagnostic(`xorshift, seed ${seed}`);
  let state = seed;
  return Float32Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return level * ((state >>> 0) / 2 ** 31 - 1);
  });
}

/** A room: the chirp after so many frames, softer, with an echo. */
function heard(t, seed, frames, level, ground = 0.02) {
  const sound = noise(t, seed, 24_000, ground);
  makeChirp(rate).forEach((value, i) => {
    sound[frames + i] += level * value;
    if (frames + 900 + i < sound.length) sound[frames + 900 + i] += 0.5 * level * value;
  });
  return sound;
}

test('a chirp is found in noise and echoes, also one that is inverted, and is not found where there is none', (t) => {
  const chirp = makeChirp(rate);
  for (const [frames, level] of [[0, 0.1], [4321, 0.05], [20_000, -0.1]]) {
    assert.ok(Math.abs(findChirp(heard(t, 7 + frames, frames, level), chirp) - frames) < 1);
  }
  assert.equal(findChirp(noise(t, 9, 24_000, 0.1), chirp), null);
  assert.equal(findChirp(new Float32Array(24_000), chirp), null);
  assert.equal(findChirp(new Float32Array(10), chirp), null);
});

test('the delay is that of recordings which agree', (t) => {
  const room = (frames, level = 0.1) => heard(t, 31 + frames, frames, level);
  assert.ok(Math.abs(delayOf([room(4800), room(4802), room(9000)], rate) - 0.1) < 0.0002);
  assert.throws(() => delayOf([room(4800), room(4800, 0), room(4800, 0)], rate), /not found/);
  assert.throws(() => delayOf([room(2000), room(4800), room(9000)], rate), /different times/);
});

test('what was measured is kept for the output, and damaged storage counts for nothing', () => {
  const kept = new Map();
  const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  assert.deepEqual([outputDelay('', storage), isMeasured('', storage)], [0, false]);
  keepOutputDelay('Headphones', 0.12, storage);
  assert.deepEqual(['Headphones', '', 'Others'].map((name) => outputDelay(name, storage)), [0.12, 0.12, 0]);
  keepOutputDelay('Headphones', null, storage);
  assert.equal(outputDelay('Headphones', storage), 0);
  for (const text of ['{', 'null', '7', '{"":"x"}', '{"":1e9}']) {
    kept.set('vestibule.output-delay', text);
    assert.equal(outputDelay('', storage), 0);
  }
  assert.equal(outputDelay('', undefined), 0);
});
