import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ScenePlayer } from '../../js/scene/scene-player.js';
import { Renderer } from '../../renderer/renderer.js';

const file = new URL('../../renderer/renderer.wasm', import.meta.url);
const options = { skip: existsSync(file) ? false : 'renderer.wasm is not built' };
const [rate, quantum, length] = [48_000, 128, 960];
const ring = (count) => Array.from({ length: count }, (_, i) => (-360 * i) / count);

/** A player, and the engine that sends to it. */
async function world() {
  const renderer = new Renderer(await Renderer.compile(readFileSync(file)), { rate, objects: 32 });
  renderer.method = 'nearest';
  renderer.setListener({ ceiling: null });
  const player = new ScenePlayer(renderer, rate);
  player.setScale(0.5);
  player.addArray({ number: 1, azimuths: ring(4), radius: 0.0875 });
  player.addArray({ number: 2, azimuths: ring(8), radius: 0.0875 });
  let sent = 0;
  /** Plays so many seconds, with packets that `describe(start)` fills; returns both ears. */
  const play = (seconds, describe) => {
    const ears = [[], []];
    for (let frame = 0; frame < seconds * rate; frame += quantum) {
      while (sent <= player.now * rate) {
        const { microphones = [], sides = [], objects = [], array = 1 } = describe(sent);
        const tone = (signal) => Float32Array.from({ length }, (_, i) => 0.5 * signal((sent + i) / rate));
        player.push({
          start: sent, frames: length, array, microphones: microphones.length, sides: sides.length,
          objects: objects.map(({ number, direction }) => ({ number, direction })),
          sound: [...microphones, ...sides, ...objects.map(({ signal }) => signal)].map(tone),
        });
        sent += length;
      }
      player.render(quantum).forEach((ear, side) => ears[side].push(...ear));
    }
    return ears;
  };
  return { renderer, player, play };
}

const sine = (hertz, level) => (time) => level * Math.sin(2 * Math.PI * hertz * time);
const rms = (samples) => Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
const steepest = (samples) => samples.reduce((most, value, i) => Math.max(most, i > 0 ? Math.abs(value - samples[i - 1]) : 0), 0);

test('microphones are heard at the ears that they are nearest to, at their level', options, async () => {
  const { play } = await world();
  const microphones = [0, 0.1, 0, 0.9].map((level) => sine(300, level));
  const [left, right] = play(1, () => ({ microphones }));
  const settled = rate / 2;
  assert.ok(Math.abs(rms(left.slice(settled)) - 0.9 / Math.SQRT2) < 0.01 || Math.abs(rms(right.slice(settled)) - 0.9 / Math.SQRT2) < 0.01);
  assert.ok(Math.abs(rms(left.slice(settled)) / rms(right.slice(settled)) - 9) < 0.2
    || Math.abs(rms(right.slice(settled)) / rms(left.slice(settled)) - 9) < 0.05);
});

test('another array follows when the sound before it has been played, and without a click', options, async () => {
  const { renderer, play } = await world();
  const fade = (start) => Math.max(0, Math.min(1, (rate - start) / (4 * length)));
  play(0.9, () => ({ microphones: Array(4).fill(sine(300, 0.5)) }));
  // The engine fades out before the change.
  const ears = play(1, (start) => (start < rate
    ? { microphones: Array(4).fill((time) => fade(time * rate) * sine(300, 0.5)(time)) }
    : { array: 2, microphones: Array(8).fill((time) => Math.min(1, (time - 1) / 0.02) * sine(300, 0.5)(time)) }));
  assert.equal(renderer.channels, 8);
  for (const ear of ears) {
    assert.ok(rms(ear.slice(-rate / 4)) > 0.3);
    assert.ok(steepest(ear) < 0.5 * ((2 * Math.PI * 300) / rate) + 0.01, `a step of ${steepest(ear)}`);
  }
});

test('objects come and go, in their directions, and live input is heard as it is', options, async () => {
  const { player, play } = await world();
  const left = { number: 7, direction: [0, 1, 0], signal: sine(4000, 0.3) };
  play(0.5, () => ({ objects: [left] }));
  const one = play(0.5, () => ({ objects: [left] })).map((ear) => rms(ear.slice(-9600)));
  assert.ok(one[0] > 2 * one[1] && one[0] > 0.1, one);
  const other = { ...left, number: 9, direction: [0, -1, 0] };
  play(0.5, () => ({ objects: [other] }));
  const two = play(0.5, () => ({ objects: [other] })).map((ear) => rms(ear.slice(-9600)));
  assert.ok(two[1] > 2 * two[0] && two[1] > 0.1, two);
  play(0.5, () => ({ sides: [sine(300, 0.4), sine(300, 0.2)] }));
  const three = play(0.5, () => ({ sides: [sine(300, 0.4), sine(300, 0.2)] })).map((ear) => rms(ear.slice(-9600)));
  assert.ok(Math.abs(three[0] - 0.4 / Math.SQRT2) < 0.005 && Math.abs(three[1] - 0.2 / Math.SQRT2) < 0.005, three);
  assert.equal(player.numbers().isEmpty, false);
  play(0.5, () => ({}));
  assert.equal(player.numbers().isEmpty, true);
  play(0.5, () => ({ objects: [left] }));
  const four = play(0.5, () => ({ objects: [left] })).map((ear) => rms(ear.slice(-9600)));
  assert.ok(four[0] > 0.1, four);
});

test('microphones that do not fit the array yet are silent, and do not repeat the block before', options, async () => {
  const { player, play } = await world();
  play(1, () => ({ microphones: Array(4).fill(sine(300, 0.5)) }));
  // Packets of eight microphones whose array has not been described.
  const unknown = (start) => ({ array: 3, microphones: Array(8).fill((time) => sine(300, start > 1.1 * rate ? 0.5 : 0)(time)) });
  play(0.5, unknown);
  const ears = play(0.5, unknown);
  for (const ear of ears) assert.ok(rms(ear) < 1e-6, `${rms(ear)}`);
  player.addArray({ number: 3, azimuths: ring(8), radius: 0.0875 });
  play(0.2, unknown);
  assert.ok(rms(play(0.2, unknown)[0]) > 0.2);
});

test('settings hold from their sample on, in their order, and at once without one', options, async () => {
  const { player, play } = await world();
  const microphones = Array(4).fill(sine(300, 0.5));
  const heard = [];
  player.apply(4800, () => heard.push(['before the sound', player.sample]));
  play(0.5, () => ({ microphones }));
  const at = Math.round(player.sample) + 9600;
  player.apply(at, () => heard.push(['later', player.sample]));
  player.apply(null, () => heard.push(['behind it', player.sample]));
  player.apply(at + 20 * rate, () => heard.push(['never due', player.sample]));
  play(0.1, () => ({ microphones }));
  assert.deepEqual(heard.map(([name]) => name), ['before the sound']);
  play(0.2, () => ({ microphones }));
  assert.deepEqual(heard.map(([name]) => name), ['before the sound', 'later', 'behind it', 'never due']);
  assert.ok(heard[1][1] >= at && heard[1][1] < at + quantum, `${heard[1][1]} is not the block after ${at}`);
});

test('a group hears a sample at its time, whatever the method takes', options, async () => {
  for (const method of ['nearest', 'ring-spectral']) {
    const { renderer, player, play } = await world();
    renderer.method = method;
    const click = (start) => ({ microphones: Array(4).fill((time) => (Math.abs(time - 0.6) < 0.0001 ? 0.5 : 0)), start });
    player.followGroup(0.2);
    const [left] = play(1, click);
    const loudest = left.reduce((best, value, i) => (Math.abs(value) > Math.abs(left[best]) ? i : best), 0);
    assert.ok(Math.abs(loudest / rate - 0.8) < 0.002, `${method}: heard at ${loudest / rate} s`);
  }
});

test('packets in any order, repeated, of other streams and with noise never exceed the ceiling', options, async (t) => {
  const renderer = new Renderer(await Renderer.compile(readFileSync(file)), { rate, objects: 32 });
  renderer.setListener({ ceiling: -1 });
  const player = new ScenePlayer(renderer, rate);
  player.setScale(0.5);
  for (const count of [1, 4, 64]) player.addArray({ number: count, azimuths: ring(count), radius: 0.0875 });
  let state = 23;
  t.diagnostic(`xorshift, seed ${state}`);
  const random = (most) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % most;
  };
  const odd = [NaN, Infinity, -1e30];
  const noise = () => Float32Array.from({ length }, () => (random(100) === 0 ? odd[random(3)] : random(4000) / 1000 - 2));
  const earlier = [];
  let [sent, most] = [0, 0];
  for (let block = 0; block < 2500; block += 1) {
    if (block % 7 === 0) {
      const microphones = random(40) > 0 ? 4 : [0, 1, 64][random(3)];
      const sides = random(40) > 0 ? 2 : 0;
      const objects = Array.from({ length: random(3) }, (_, i) => ({ number: 10 * i + random(9), direction: [0, 1, 0] }));
      const packet = {
        start: [sent, sent, sent, random(1e9), Math.max(0, sent - 4800)][random(5)], frames: length,
        array: random(9) > 0 ? microphones : 77, microphones, sides, objects,
        sound: Array.from({ length: microphones + sides + objects.length }, noise),
      };
      sent += length;
      earlier.push(packet);
      player.push(packet);
      if (random(4) === 0) player.push(earlier[random(earlier.length)]);
    }
    for (const ear of player.render(quantum)) {
      for (const value of ear) {
        assert.ok(Number.isFinite(value));
        most = Math.max(most, Math.abs(value));
      }
    }
  }
  assert.ok(most > 0.01 && most <= 10 ** (-1 / 20) + 1e-4, `${most}`);
  assert.ok(player.numbers().packets > 0);
});

test('an array without microphones, or a scale that cannot be, is refused', options, async () => {
  const { player } = await world();
  for (const azimuths of [[], 'x', null, Array(65).fill(0)]) {
    assert.throws(() => player.addArray({ number: 5, azimuths, radius: 0.1 }), RangeError);
  }
  for (const scale of [0, -1, NaN, 2]) assert.throws(() => player.setScale(scale), RangeError);
});
