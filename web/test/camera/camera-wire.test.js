import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeFrame, encodeFrame, encodeReceipt } from '../../js/camera/camera-wire.js';

/** The example of protocol/camera-stream.md. */
const example = Uint8Array.from('01 01 00 00 00 00 00 00 2A 00 00 00 80 02 68 01 40 E2 01 00 00 00 00 00 AA BB'.split(' ')
  .map((each) => parseInt(each, 16)));

test('a frame is written as the protocol says, and read again', () => {
  const frame = { kind: 'key', codec: 'vp8', number: 42, width: 640, height: 360, timestamp: 123456 };
  const bytes = encodeFrame(frame, 2, (place) => place.set([0xaa, 0xbb]));
  assert.deepEqual(bytes, example);
  const { content, sender, ...read } = decodeFrame(bytes.buffer);
  assert.deepEqual(read, frame);
  assert.deepEqual([...content], [0xaa, 0xbb]);
  assert.equal(sender, 0);
});

test('frames and receipts of the conversation in the protocol are written and read byte by byte', () => {
  const steps = JSON.parse(readFileSync(new URL('../../../protocol/conversations/camera.json', import.meta.url)));
  const frames = steps.filter(({ means }) => means);
  assert.equal(frames.length, 9);
  for (const { send, receive, means } of frames) {
    const bytes = Uint8Array.from((send ?? receive).split(' ').map((each) => parseInt(each, 16)));
    if (means.link) {
      assert.deepEqual(encodeReceipt(means.link, means.frames, means.late), bytes);
      continue;
    }
    const { content, sender, ...read } = decodeFrame(bytes.buffer);
    assert.deepEqual(read, means);
    assert.equal(sender, receive ? 1 : 0);
    if (send) assert.deepEqual(encodeFrame(means, content.length, (place) => place.set(content)), bytes);
  }
});

test('what is no frame is not read', () => {
  for (let length = 0; length <= 24; length += 1) assert.equal(decodeFrame(example.buffer.slice(0, length)), null);
  for (const [place, value] of [[0, 0], [0, 9], [1, 0], [1, 7]]) {
    const other = example.slice();
    other[place] = value;
    assert.equal(decodeFrame(other.buffer), null);
  }
});

test('a receipt has sixteen bytes', () => {
  assert.deepEqual([...encodeReceipt(7, 300, 5)], [32, 0, 0, 0, 7, 0, 0, 0, 0x2c, 1, 0, 0, 5, 0, 0, 0]);
});
