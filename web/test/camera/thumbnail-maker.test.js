import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFrame } from '../../js/camera/camera-wire.js';
import { ThumbnailMaker } from '../../js/camera/thumbnail-maker.js';

/** A browser whose pictures are JPEGs of some bytes. */
const world = (bytes, type = 'image/jpeg') => ({
  setInterval: () => 1, clearInterval: () => {},
  OffscreenCanvas: class {
    constructor(width, height) { Object.assign(this, { width, height }); }
    getContext() { return { drawImage() {} }; }
    async convertToBlob() { return { type, arrayBuffer: async () => new Uint8Array(bytes).buffer }; }
  },
});

async function made(video, bytes, { type, isWanted = () => true } = {}) {
  const frames = [];
  const maker = new ThumbnailMaker(video, { frame: (frame) => frames.push(decodeFrame(frame.buffer)), isWanted }, world(bytes, type));
  maker.start();
  await maker.make();
  maker.stop();
  return frames;
}

test('small pictures have 90 lines, or less of a wide screen', async () => {
  const [first, second] = await made({ videoWidth: 1280, videoHeight: 720 }, [1, 2, 3]);
  assert.deepEqual([first.kind, first.codec, first.width, first.height, first.number, second.number], ['still', 'jpeg', 160, 90, 1, 2]);
  const [wide] = await made({ videoWidth: 5120, videoHeight: 1024 }, [1]);
  assert.deepEqual([wide.width, wide.height], [320, 64]);
});

test('none is made without a picture, while nobody may see it, and none that is too large or no JPEG', async () => {
  assert.deepEqual(await made({ videoWidth: 0, videoHeight: 0 }, [1]), []);
  assert.deepEqual(await made({ videoWidth: 640, videoHeight: 480 }, [1], { isWanted: () => false }), []);
  assert.deepEqual(await made({ videoWidth: 640, videoHeight: 480 }, new Array(17_000).fill(1)), []);
  assert.deepEqual(await made({ videoWidth: 640, videoHeight: 480 }, [1], { type: 'image/png' }), []);
});
