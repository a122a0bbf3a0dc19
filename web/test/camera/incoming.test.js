import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Incoming } from '../../js/camera/incoming.js';

/** A decoder whose pictures come when a test says so: `give(timestamp)`. */
class Decoder {
  static latest = null;
  constructor({ output }) {
    Object.assign(this, { output, state: 'unconfigured', decodeQueueSize: 0 });
    Decoder.latest = this;
  }
  configure() { this.state = 'configured'; }
  decode() {}
  close() { this.state = 'closed'; }
}

/** A link whose receipts are noted, as `[frames, late]`. */
function linkIn() {
  const world = { time: 0 };
  const receipts = [];
  const incoming = new Incoming(7, () => {}, (message) => {
    if (!(message instanceof Uint8Array)) return;
    const view = new DataView(message.buffer);
    receipts.push([view.getUint32(8, true), view.getUint32(12, true)]);
  }, () => world.time, {});
  const take = () => incoming.take({ kind: 'sound', number: 1, content: new Uint8Array(1) });
  return { world, receipts, incoming, take };
}

test('the receipts of a link go on with their counts after the sender was asked again', () => {
  const { receipts, incoming, take } = linkIn();
  for (let count = 0; count < 3; count += 1) take();
  incoming.pause();
  // On its way when the sender changed its mind; the relay takes no receipt before the answer.
  take();
  assert.deepEqual(receipts.map(([frames]) => frames), [1, 2, 3]);
  incoming.resume();
  take();
  incoming.resume();
  assert.deepEqual(receipts.map(([frames]) => frames), [1, 2, 3, 4, 5]);
});

test('a link without a first picture is silent from its opening on', () => {
  const { world, incoming } = linkIn();
  world.time = 5000;
  assert.equal(incoming.silence, 5000);
  incoming.pause();
  incoming.resume();
  assert.equal(incoming.silence, 0);
});

test('a picture later than the mean of the last ten is left out when newer ones wait, and the relay is told', () => {
  const world = { VideoDecoder: Decoder, EncodedVideoChunk: class {}, time: 0 };
  const [drawn, receipts] = [[], []];
  const incoming = new Incoming(7, ({ timestamp }) => drawn.push(timestamp / 1000), (message) => {
    if (message instanceof Uint8Array) receipts.push(new DataView(message.buffer).getUint32(12, true));
  }, () => world.time, world);
  // The sender's clock is an hour ahead.
  incoming.offset = -3_600_000;
  let number = 0;
  /** A picture that was captured at a time and is decoded `delay` milliseconds later, with so many waiting behind it. */
  const picture = (time, delay, waiting) => {
    number += 1;
    incoming.take({ kind: number === 1 ? 'key' : 'delta', codec: 'vp8', number, width: 640, height: 480, content: new Uint8Array(9) });
    world.time = time + delay;
    Decoder.latest.decodeQueueSize = waiting;
    let isClosed = false;
    Decoder.latest.output({ timestamp: 1000 * (time + 3_600_000), close: () => { isClosed = true; } });
    assert.ok(isClosed, 'pictures that are not closed stall the decoder');
    return drawn.at(-1) === time + 3_600_000;
  };
  // Nothing is late before there are ten.
  for (let index = 0; index < 9; index += 1) assert.ok(picture(40 * index, 50, 2));
  assert.ok(picture(360, 400, 2));
  for (let index = 10; index < 20; index += 1) assert.ok(picture(40 * index, 50, 0));
  // 80 ms after the mean of 50 ms are allowed, a millisecond more is not, unless nothing newer waits.
  assert.ok(picture(800, 129, 1));
  const mean = (9 * 50 + 129) / 10;
  assert.ok(!picture(840, mean + 81, 1));
  assert.ok(picture(880, 300, 0));
  assert.equal(incoming.late, 1);
  incoming.take({ kind: 'delta', codec: 'vp8', number: number + 1, width: 640, height: 480, content: new Uint8Array(9) });
  assert.deepEqual([receipts[0], receipts.at(-1)], [0, 1]);
  // A network that stays slow is the usual after ten more.
  for (let index = 0; index < 12; index += 1) picture(1000 + 40 * index, 300, 1);
  assert.ok(picture(1600, 300, 1));
});
