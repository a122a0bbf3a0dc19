import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fittedSize, isBehind, isClogged, PictureEncoder } from '../../js/camera/picture-encoder.js';
import { codecConfig } from '../../js/camera/codec-config.js';
import { decodeFrame } from '../../js/camera/camera-wire.js';

test('the picture fits its lines, is even, and is never enlarged', () => {
  assert.deepEqual(fittedSize(1280, 720, 360), { width: 640, height: 360 });
  assert.deepEqual(fittedSize(720, 1280, 360), { width: 360, height: 640 });
  assert.deepEqual(fittedSize(640, 480, 1080), { width: 640, height: 480 });
  const { width, height } = fittedSize(641, 479, 199);
  assert.equal(width % 2 + height % 2, 0);
});

test('a socket is clogged by more than 300 ms of pictures', () => {
  assert.equal(isClogged(30_000, 100_000), false);
  assert.equal(isClogged(40_000, 1_000_000), true);
  assert.equal(isClogged(140_000, 4_000_000), false);
});

/** A browser whose encoder gives one frame for each picture. */
class FakeWorld {
  configs = [];
  time = 0;
  performance = { now: () => this.time };
  VideoFrame = class { close() {} };
  constructor() {
    const world = this;
    this.VideoEncoder = class {
      state = 'unconfigured';
      encodeQueueSize = 0;
      constructor({ output }) { this.output = output; }
      configure(config) {
        if (world.refuses?.(config)) throw new Error('not supported');
        this.state = 'configured';
        world.configs.push(config);
      }
      encode(_, { keyFrame }) {
        this.output({
          type: keyFrame ? 'key' : 'delta', timestamp: 1000 * world.time, byteLength: world.size ?? 3, copyTo: (place) => place.fill(7),
        });
      }
      close() { this.state = 'closed'; }
    };
  }
}

function encoderIn(world, waiting = () => 0) {
  const frames = [];
  const video = { requestVideoFrameCallback: (action) => { video.next = action; } };
  const encoder = new PictureEncoder(video, {
    frame: (bytes) => frames.push(decodeFrame(bytes.buffer)), waiting, clock: () => world.time,
    failed: (text) => { throw new Error(text); }, unable: (codec) => (world.unable ??= []).push(codec),
  }, world);
  const show = (milliseconds) => {
    world.time += milliseconds;
    video.next(world.time, { width: 640, height: 480 });
  };
  return { encoder, frames, show };
}

test('the first picture is a key frame, and those that are asked for', () => {
  const { encoder, frames, show } = encoderIn(new FakeWorld());
  encoder.follow({ bitrate: 1e6, rate: 25, height: 480, codec: 'vp8' });
  encoder.turn(true);
  for (let count = 0; count < 4; count += 1) show(40);
  encoder.key();
  for (let count = 0; count < 2; count += 1) show(40);
  assert.deepEqual(frames.map(({ kind }) => kind), ['key', 'delta', 'delta', 'delta', 'key', 'delta']);
  assert.deepEqual(frames.map(({ number }) => number), [1, 2, 3, 4, 5, 6]);
});

test('a strategy changes rate and bits without a key frame, another codec with one', () => {
  const world = new FakeWorld();
  const { encoder, frames, show } = encoderIn(world);
  encoder.follow({ bitrate: 1e6, rate: 25, height: 480, codec: 'vp8' });
  encoder.turn(true);
  show(40);
  encoder.follow({ bitrate: 5e5, rate: 5, height: 480, codec: 'vp8' });
  for (let count = 0; count < 50; count += 1) show(40);
  // Two seconds at five pictures a second.
  assert.ok(frames.length >= 10 && frames.length <= 12, `${frames.length}`);
  assert.equal(frames.filter(({ kind }) => kind === 'key').length, 1);
  encoder.follow({ bitrate: 5e5, rate: 5, height: 480, codec: 'h264' });
  show(240);
  assert.equal(frames.at(-1).kind, 'key');
  assert.equal(frames.at(-1).codec, 'h264');
  assert.deepEqual(world.configs.at(-1).avc, { format: 'annexb' });
});

test('pictures are left out before the encoder while the network takes no more', () => {
  let waiting = 0;
  const { encoder, frames, show } = encoderIn(new FakeWorld(), () => waiting);
  encoder.follow({ bitrate: 1e6, rate: 25, height: 480, codec: 'vp8' });
  encoder.turn(true);
  show(40);
  waiting = 1e6;
  for (let count = 0; count < 20; count += 1) show(40);
  assert.equal(frames.length, 1);
  assert.equal(encoder.leftOut, 20);
  waiting = 0;
  show(40);
  // Nothing is missing between the two.
  assert.deepEqual(frames.map(({ kind, number }) => [kind, number]), [['key', 1], ['delta', 2]]);
});

test('pictures are left out while too much is on its way to the engine, and go on when it confirms them', () => {
  assert.equal(isBehind(12_000, 100_000), false);
  assert.equal(isBehind(12_001, 100_000), true);
  assert.equal(isBehind(37_000, 1_000_000), false);
  const world = new FakeWorld();
  const { encoder, frames, show } = encoderIn(world);
  encoder.follow({ bitrate: 100_000, rate: 25, height: 480, codec: 'vp8' });
  encoder.turn(true);
  show(40);
  // Nothing is counted before the engine confirms: former ones do not.
  encoder.confirm(1);
  world.size = 5000;
  for (let count = 0; count < 6; count += 1) show(40);
  assert.deepEqual([frames.length, encoder.leftOut, encoder.onTheirWay], [4, 3, 15_000]);
  encoder.confirm(3);
  assert.equal(encoder.onTheirWay, 5000);
  show(40);
  assert.equal(frames.length, 5);
  // Pictures that nobody confirms count for a time.
  show(40);
  show(40);
  show(6000);
  assert.equal(encoder.onTheirWay, 5000);
});

test('a picture that is too large leaves a gap in the numbers, and the next one that is sent is a key frame', () => {
  const world = new FakeWorld();
  const { encoder, frames, show } = encoderIn(world);
  encoder.follow({ bitrate: 100e6, rate: 25, height: 480, codec: 'vp8' });
  encoder.turn(true);
  show(40);
  world.size = 600_000;
  show(40);
  world.size = 3;
  show(40);
  show(40);
  assert.deepEqual(frames.map(({ kind, number }) => [kind, number]), [['key', 1], ['key', 3], ['delta', 4]]);
});

test('the level of H.264 and of AV1 is the lowest that holds the pictures', () => {
  const name = (codec, width, height, rate) => codecConfig(codec, { width, height, rate }).codec;
  assert.equal(name('vp8', 3840, 2160, 60), 'vp8');
  assert.deepEqual([[640, 360, 25], [1280, 720, 30], [1280, 720, 60], [1920, 1080, 30], [1920, 1080, 60], [3840, 2160, 60]]
    .map((size) => name('h264', ...size)), ['1F', '1F', '20', '28', '2A', '34'].map((level) => `avc1.42E0${level}`));
  assert.deepEqual([[640, 360, 25], [1280, 720, 30], [1920, 1080, 30], [1920, 1080, 60], [3840, 2160, 30]]
    .map((size) => name('av1', ...size)), ['04', '05', '08', '09', '12'].map((level) => `av01.0.${level}M.08`));
});

test('a codec that cannot be encoded is given up, and the offer goes on with VP8', () => {
  const world = new FakeWorld();
  world.refuses = ({ codec }) => codec.startsWith('avc1');
  const { encoder, frames, show } = encoderIn(world);
  encoder.follow({ bitrate: 1e6, rate: 25, height: 480, codec: 'h264' });
  encoder.turn(true);
  for (let count = 0; count < 3; count += 1) show(40);
  assert.deepEqual([world.unable, frames.length], [['h264'], 0]);
  encoder.follow({ bitrate: 1e6, rate: 25, height: 480, codec: 'vp8' });
  show(40);
  assert.deepEqual(frames.map(({ kind, codec }) => [kind, codec]), [['key', 'vp8']]);
  // Without VP8 there is nothing to go on with.
  world.refuses = () => true;
  encoder.follow({ bitrate: 1e6, rate: 25, height: 240, codec: 'vp8' });
  assert.throws(() => show(40), /cannot be encoded: not supported/);
});
