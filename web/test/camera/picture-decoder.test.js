import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PictureDecoder } from '../../js/camera/picture-decoder.js';

class FakeWorld {
  decoders = [];
  EncodedVideoChunk = class { constructor(init) { Object.assign(this, init); } };
  constructor() {
    const world = this;
    this.VideoDecoder = class {
      state = 'unconfigured';
      decodeQueueSize = 0;
      constructor(events) {
        Object.assign(this, events);
        world.decoders.push(this);
      }
      configure({ codec }) { [this.state, this.codec] = ['configured', codec]; }
      decode(chunk) { this.output({ timestamp: chunk.timestamp, close() {} }); }
      close() { this.state = 'closed'; }
    };
  }
}

function decoderIn(world) {
  const seen = { pictures: [], asked: 0 };
  const decoder = new PictureDecoder({
    picture: ({ timestamp }) => seen.pictures.push(timestamp), needsKey: () => { seen.asked += 1; },
  }, world);
  const push = (kind, number, codec = 'vp8', [width, height] = [640, 360]) => decoder.push(
    { kind, codec, number, width, height, timestamp: number, content: new Uint8Array(1) });
  return { decoder, push, seen };
}

test('pictures are decoded from the first key frame on', () => {
  const { push, seen } = decoderIn(new FakeWorld());
  push('delta', 1);
  push('key', 2);
  push('delta', 3);
  assert.deepEqual(seen.pictures, [2, 3]);
});

test('after a gap a key frame is asked for once, and nothing is shown before it', () => {
  const { push, seen } = decoderIn(new FakeWorld());
  push('key', 1);
  push('delta', 3);
  push('delta', 4);
  assert.deepEqual([seen.pictures, seen.asked], [[1], 1]);
  push('key', 5);
  push('delta', 6);
  assert.deepEqual(seen.pictures, [1, 5, 6]);
});

test('a damaged picture begins a decoder anew', () => {
  const world = new FakeWorld();
  const { push, seen } = decoderIn(world);
  push('key', 1);
  world.decoders[0].error(new Error('damaged'));
  push('delta', 2);
  assert.equal(seen.asked, 1);
  push('key', 3);
  assert.deepEqual([seen.pictures, world.decoders.length], [[1, 3], 2]);
});

test('another codec needs another decoder', () => {
  const world = new FakeWorld();
  const { push, seen } = decoderIn(world);
  push('key', 1);
  push('key', 2, 'h264');
  assert.deepEqual(world.decoders.map(({ codec }) => codec), ['vp8', 'avc1.42E01F']);
  assert.equal(world.decoders[0].state, 'closed');
  assert.deepEqual(seen.pictures, [1, 2]);
});
