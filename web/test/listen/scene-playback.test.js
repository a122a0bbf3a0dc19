import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScenePlayback } from '../../renderer/scene-playback.js';

const [quantum, chunkFrames] = [128, 4800];

/** Stands for the renderer: passes one channel on with the renderer's fade. */
class Passing {
  rate = 48000;
  level = 0;
  target = 0;
  heads = [];
  block = new Float32Array(1024);

  setArray() {}

  setPlaying(isPlaying) {
    this.target = isPlaying ? 1 : 0;
  }

  setHead(...head) {
    this.heads.push(head);
  }

  input(frames) {
    return this.block.subarray(0, frames);
  }

  render(frames) {
    const step = 1 / (0.02 * this.rate);
    const out = Float32Array.from(this.block.subarray(0, frames), (value) => {
      this.level = this.target ? Math.min(1, this.level + step) : Math.max(0, this.level - step);
      return value * this.level;
    });
    return [out, out];
  }
}

/** A ramp as recording: every sample is its own frame number. */
function opened(frames, held = null) {
  const playback = new ScenePlayback(new Passing());
  playback.open({ frames, chunkFrames, array: { azimuths: [0] } });
  const count = Math.ceil(frames / chunkFrames);
  for (let index = 0; index < count; index += 1) if (held === null || held.includes(index)) playback.add(index, ramp(index, frames));
  return playback;
}

const ramp = (index, frames) => Float32Array.from(
  { length: Math.min(chunkFrames, frames - index * chunkFrames) }, (_, i) => (index * chunkFrames + i) / frames);

function play(playback, blocks) {
  const sound = [];
  for (let block = 0; block < blocks; block += 1) sound.push(...playback.render(quantum)[0]);
  return sound;
}

test('chunks follow each other without a gap, and the recording is repeated without one', () => {
  const frames = 3 * chunkFrames - 100;
  const playback = opened(frames);
  playback.play(true);
  const sound = play(playback, 300);
  sound.forEach((value, i) => {
    const wanted = Math.fround((i % frames) / frames);
    if (i > 1000) assert.ok(Math.abs(value - wanted) < 1e-6, `frame ${i}: ${value} in place of ${wanted}`);
  });
  assert.equal(playback.waits, 0);
});

test('the sound fades out before a chunk that is missing, and goes on at the same frame', () => {
  const frames = 4 * chunkFrames;
  const playback = opened(frames, [0, 1]);
  playback.play(true);
  const before = play(playback, 120);
  assert.ok(playback.isWaiting);
  assert.equal(playback.waits, 1);
  assert.ok(playback.position <= 2 * chunkFrames, 'nothing that is missing was played');
  const steps = before.map((value, i) => Math.abs(value - (before[i - 1] ?? value)));
  assert.ok(Math.max(...steps) < 0.002, 'no click');
  assert.equal(before.at(-1), 0);
  const { position } = playback;
  playback.add(2, ramp(2, frames));
  playback.add(3, ramp(3, frames));
  play(playback, 1);
  assert.equal(playback.position, position + quantum);
});

test('a seek fades, and then plays from its frame', () => {
  const frames = 20 * chunkFrames;
  const playback = opened(frames);
  playback.play(true);
  play(playback, 50);
  playback.seek(40_000);
  const sound = play(playback, 60);
  const steps = sound.map((value, i) => Math.abs(value - (sound[i - 1] ?? value)));
  assert.ok(Math.max(...steps) < 0.002, 'no click');
  assert.ok(playback.position > 40_000 && playback.position < 40_000 + 60 * quantum);
});

test('a recording that is not repeated ends and stands at its beginning', () => {
  const playback = opened(2 * chunkFrames);
  playback.setLoop(false);
  let ends = 0;
  playback.onEnd = () => { ends += 1; };
  playback.play(true);
  const sound = play(playback, 100);
  assert.equal(playback.position, 0);
  assert.equal(playback.isWaiting, false);
  assert.equal(sound.at(-1), 0);
  assert.equal(ends, 1);
  playback.play(true);
  play(playback, 20);
  assert.ok(playback.position > 0);
});

test('chunks that do not fit are dropped and counted', () => {
  const frames = 2 * chunkFrames - 5;
  const playback = opened(frames, []);
  for (const [index, samples] of [[0, new Float32Array(3)], [2, new Float32Array(chunkFrames)], [-1, new Float32Array(chunkFrames)],
    [0.5, new Float32Array(chunkFrames)], [0, [1, 2]], [1, new Float32Array(chunkFrames)], [0, undefined]]) playback.add(index, samples);
  assert.equal(playback.dropped, 7);
  assert.deepEqual(playback.held, []);
  for (const frame of [NaN, Infinity, -1, 'x']) assert.throws(() => playback.seek(frame), RangeError);
  playback.play(true);
  assert.ok(play(playback, 4).every((value) => value === 0));
});

test('a recorded motion turns the head with the recording, until a head arrives', () => {
  const renderer = new Passing();
  const playback = new ScenePlayback(renderer);
  playback.open({ frames: chunkFrames, chunkFrames, array: { azimuths: [0] } });
  playback.add(0, ramp(0, chunkFrames));
  playback.play(true);
  playback.setMotion({ interval: 256, heads: Float32Array.of(1, 0, 0, 0, 0, 0, 0, 1) });
  play(playback, 4);
  playback.setHead([0, 1, 0, 0]);
  play(playback, 2);
  assert.deepEqual(renderer.heads, [[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 1, 0, 0]]);
  assert.throws(() => playback.setHead([]), RangeError);
  assert.throws(() => playback.setMotion({ interval: 0, heads: new Float32Array(4) }), RangeError);
});

test('played chunks are forgotten, except the last two', () => {
  const frames = 30 * chunkFrames;
  const playback = opened(frames);
  playback.play(true);
  play(playback, Math.ceil((10 * chunkFrames) / quantum) + 2);
  assert.deepEqual([...playback.held].sort((a, b) => a - b).slice(0, 2), [8, 9]);
});

test('fifty seeks in a long recording leave no more chunks behind than are of use', () => {
  const [chunk, count] = [48_000, 120];
  const playback = new ScenePlayback(new Passing());
  playback.open({ frames: count * chunk, chunkFrames: chunk, array: { azimuths: [0] } });
  playback.play(true);
  let most = 0;
  for (let seek = 0; seek < 50; seek += 1) {
    playback.seek((110 - 2 * seek) * chunk);
    play(playback, 30);
    const first = Math.floor(playback.position / chunk);
    // As `SceneSound` does: eight seconds ahead.
    for (let i = 0; i < 8; i += 1) if (!playback.held.includes(first + i)) playback.add(first + i, new Float32Array(chunk));
    play(playback, 10);
    most = Math.max(most, playback.held.length);
  }
  assert.ok(most <= 2 + 10 + 8, `${most} chunks`);
  assert.ok(!playback.isWaiting);
});
