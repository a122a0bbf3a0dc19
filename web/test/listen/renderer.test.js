import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Renderer } from '../../renderer/renderer.js';

const file = new URL('../../renderer/renderer.wasm', import.meta.url);
const options = { skip: existsSync(file) ? false : 'renderer.wasm is not built' };
const made = async () => {
  const renderer = new Renderer(await Renderer.compile(readFileSync(file)), { rate: 48000, objects: 1 });
  renderer.setArray({ azimuths: [0, 90, 180, -90], radius: 0.09 });
  renderer.setPlaying(true);
  return renderer;
};

test('what cannot be set is refused, and nothing changes', options, async () => {
  const renderer = await made();
  for (const settings of [{ ceiling: -6000 }, { ceiling: -Infinity }, { ceiling: NaN }, { ceiling: 1 }, { gain: 10n }, { gain: -1 },
    { gain: NaN }, { front: 'x' }, { fixedMicrophone: 0 }, { fixedMicrophone: 1.5 }, { fixedMicrophone: NaN }, { earAzimuth: 1e9 }]) {
    assert.throws(() => renderer.setListener(settings), RangeError);
  }
  renderer.setListener({ front: 10 });
  for (const head of [[NaN, 0, 0, 0], [0, 0, 0, 0], [5, 0, 0, 0], [1]]) assert.throws(() => renderer.setHead(...head), RangeError);
  for (const frames of [0, 8, 17, 1040, 4096, NaN, '128']) {
    assert.throws(() => renderer.input(frames), RangeError);
    assert.throws(() => renderer.render(frames), RangeError);
  }
  for (const index of [-1, 1, 0.5, NaN, 'x']) {
    assert.throws(() => renderer.setObject(index, {}), RangeError);
    assert.throws(() => renderer.setSound(index, new Float32Array(4)), RangeError);
  }
  assert.throws(() => renderer.setSound(0, [1, 2]), RangeError);
  for (const array of [{ azimuths: null }, { azimuths: [] }, { azimuths: [0, 0] }, { azimuths: [NaN] }, { azimuths: [0], radius: 5 },
    { azimuths: [0], delays: [1e9] }]) assert.throws(() => renderer.setArray(array), RangeError);
  assert.equal(renderer.channels, 4);
  assert.throws(() => { renderer.method = 'hrtf'; }, RangeError);
  assert.throws(() => renderer.setCrossover(1e9), RangeError);
  renderer.close();
  assert.throws(() => renderer.render(128), /closed/);
});

test('the limiter keeps any input below its ceiling', options, async () => {
  const renderer = await made();
  renderer.setListener({ ceiling: -24 });
  for (const level of [0.9, 64, 1e30, NaN, Infinity]) {
    for (let block = 0; block < 40; block += 1) {
      renderer.input(128).fill(level);
      for (const ear of renderer.render(128)) for (const value of ear) assert.ok(Math.abs(value) <= 0.0632, `${value} for ${level}`);
    }
  }
});
