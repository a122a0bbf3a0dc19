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

/** Sound of a recording whose second 2 is damaged: what it has asked for and said, and a function that reports what the renderer holds. */
async function damaged(context, seconds) {
  const made = browser(context);
  const state = { made, asked: [], said: [], isDamaged: true, position: 0 };
  const source = {
    index: { rate: 48000, frames: seconds * 48000, chunkFrames: 48000, array: {}, chunks: Array(seconds).fill({}) },
    chunk: async (number) => {
      state.asked.push(number);
      if (number === 2 && state.isDamaged) throw new Error('Second 2 is damaged.');
      return new ArrayBuffer(8);
    },
    decode: async () => new Float32Array(8),
  };
  const world = { audioWorklet: { addModule: async () => {} } };
  const sound = new SceneSound(world, source, ({ problem }) => problem !== undefined && state.said.push(problem));
  await sound.open();
  state.report = async (...held) => {
    made.node.port.onmessage({ data: { position: state.position, held } });
    await settled();
  };
  await settled();
  return state;
}

test('a problem with a chunk lasts until that chunk has come, although another is sent again', async (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const state = await damaged(context, 4);
  const { made, asked, said, report } = state;
  for (const held of [[0], [0, 1]]) await report(...held);
  assert.deepEqual([asked, said], [[0, 1, 2], ['Second 2 is damaged.']]);
  // The renderer has not told of the second chunk for so long that it is sent again.
  now = 3000;
  made.later.shift()();
  await settled();
  await report(0);
  assert.deepEqual([asked, said], [[0, 1, 2, 1], ['Second 2 is damaged.']]);
  state.isDamaged = false;
  await report(0, 1);
  assert.deepEqual([asked, said], [[0, 1, 2, 1, 2], ['Second 2 is damaged.', null]]);
});

test('a problem with a chunk ends when another place is heard', async (context) => {
  const state = await damaged(context, 100);
  for (const held of [[0], [0, 1]]) await state.report(...held);
  assert.deepEqual(state.said, ['Second 2 is damaged.']);
  state.position = 50 * 48000;
  state.made.later.shift()();
  await settled();
  await state.report(0, 1);
  assert.deepEqual([state.asked.at(-1), state.said], [50, ['Second 2 is damaged.', null]]);
});
