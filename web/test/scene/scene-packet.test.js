import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readScenePacket } from '../../js/scene/scene-packet.js';

/** A packet with so many microphones, sides and objects. */
function packet({ start = 4800, microphones = 3, sides = 2, objects = [5], frames = 960 } = {}) {
  const tracks = microphones + sides + objects.length;
  const view = new DataView(new ArrayBuffer(24 + tracks * 6 + objects.length * 14));
  view.setUint32(0, 9, true);
  view.setUint32(4, frames, true);
  view.setBigInt64(8, BigInt(start), true);
  view.setUint32(16, 2, true);
  [microphones, sides, objects.length].forEach((count, i) => view.setUint8(20 + i, count));
  let at = 24;
  const track = (value) => {
    view.setUint16(at, 4, true);
    view.setUint32(at + 2, value, true);
    at += 6;
  };
  for (let i = 0; i < microphones + sides; i += 1) track(i);
  for (const object of objects) {
    view.setUint16(at, object, true);
    [0.6, 0.8, 0].forEach((value, axis) => view.setFloat32(at + 2 + 4 * axis, value, true));
    at += 14;
    track(100 + object);
  }
  return view.buffer;
}

test('a packet is read', () => {
  const read = readScenePacket(packet(), 960);
  assert.equal(read.start, 4800);
  assert.deepEqual([read.number, read.array, read.microphones, read.sides], [9, 2, 3, 2]);
  assert.deepEqual(read.tracks.map((track) => new DataView(track).getUint32(0, true)), [0, 1, 2, 3, 4, 105]);
  assert.equal(read.objects[0].number, 5);
  assert.ok(Math.abs(read.objects[0].direction[1] - 0.8) < 1e-6);
});

test('every truncation, and every byte that is too many, is refused', () => {
  const whole = packet();
  for (let length = 0; length < whole.byteLength; length += 1) assert.equal(readScenePacket(whole.slice(0, length), 960), null);
  const longer = new Uint8Array(whole.byteLength + 1);
  longer.set(new Uint8Array(whole));
  assert.equal(readScenePacket(longer.buffer, 960), null);
});

test('numbers that cannot be are refused', () => {
  assert.equal(readScenePacket(packet({ frames: 480 }), 960), null);
  assert.equal(readScenePacket(packet({ sides: 1 }), 960), null);
  assert.equal(readScenePacket(packet({ microphones: 65 }), 960), null);
  assert.equal(readScenePacket(packet({ start: -1 }), 960), null);
  const odd = packet();
  new DataView(odd).setFloat32(24 + 5 * 6 + 2, NaN, true);
  assert.equal(readScenePacket(odd, 960), null);
});

test('random bytes never throw', (t) => {
  let state = 17;
  t.diagnostic(`xorshift, seed ${state}`);
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let round = 0; round < 2000; round += 1) {
    const bytes = new Uint8Array(packet());
    for (let i = 0; i < 4; i += 1) bytes[random() % bytes.length] = random();
    const read = readScenePacket(bytes.buffer, 960);
    assert.ok(read === null || read.tracks.length === read.microphones + read.sides + read.objects.length);
  }
});
