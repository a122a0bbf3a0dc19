import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SceneSound } from '../../js/listen/packages/scene-sound.js';

/** Lets everything run that has been promised. */
const settled = () => new Promise((done) => setImmediate(done));

/** Stand-ins for what browsers have. Returns the node that a `SceneSound` makes, as `node`, and what it does `later`. */
function browser(context) {
  const made = { later: [] };
  const parts = {
    OfflineAudioContext: class {},
    AudioWorkletNode: class {
      port = { postMessage() {} };

      constructor() { made.node = this; }

      connect() {}
    },
    fetch: async () => new Response(new ArrayBuffer(8)),
    setTimeout: (action) => made.later.push(action),
  };
  for (const [name, part] of Object.entries(parts)) {
    const former = globalThis[name];
    globalThis[name] = part;
    context.after(() => { globalThis[name] = former; });
  }
  return made;
}

test('a problem with a chunk lasts until that chunk has come, although another is sent again', async (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const made = browser(context);
  let isDamaged = true;
  const asked = [];
  const source = {
    index: { rate: 48000, frames: 4 * 48000, chunkFrames: 48000, array: {}, chunks: [{}, {}, {}, {}] },
    chunk: async (number) => {
      asked.push(number);
      if (number === 2 && isDamaged) throw new Error('Second 2 is damaged.');
      return new ArrayBuffer(8);
    },
    decode: async () => new Float32Array(8),
  };
  const said = [];
  const world = { audioWorklet: { addModule: async () => {} } };
  const sound = new SceneSound(world, source, ({ problem }) => problem !== undefined && said.push(problem));
  await sound.open();
  const report = async (...held) => {
    made.node.port.onmessage({ data: { position: 0, held } });
    await settled();
  };
  await settled();
  for (const held of [[0], [0, 1]]) await report(...held);
  assert.deepEqual([asked, said], [[0, 1, 2], ['Second 2 is damaged.']]);
  // The renderer has not told of the second chunk for so long that it is sent again.
  now = 3000;
  made.later.shift()();
  await settled();
  await report(0);
  assert.deepEqual([asked, said], [[0, 1, 2, 1], ['Second 2 is damaged.']]);
  isDamaged = false;
  await report(0, 1);
  assert.deepEqual([asked, said], [[0, 1, 2, 1, 2], ['Second 2 is damaged.', null]]);
});
