import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NativePlayer, prefersNative } from '../../js/hls/native-player.js';

test('the own player of a browser is taken where it knows low delay, or where there is nothing else', () => {
  const [able, unable] = ['maybe', ''].map((answer) => ({ canPlayType: () => answer }));
  const apple = { vendor: 'Apple Computer, Inc.', hasSource: true };
  const other = { vendor: 'Google Inc.', hasSource: true };
  assert.equal(prefersNative(able, apple), true);
  assert.equal(prefersNative(unable, apple), false);
  assert.equal(prefersNative(able, other), false);
  assert.equal(prefersNative(able, { ...other, hasSource: false }), true);
  assert.equal(prefersNative(unable, { ...other, hasSource: false }), false);
});

test('a stream that stands still, ends or cannot be begun is begun anew', async () => {
  let [now, look, next] = [0, null, null];
  const begun = [];
  const events = [];
  const audio = {
    currentTime: 0, paused: false, refuses: false,
    set src(address) { begun.push(address); },
    async play() { if (audio.refuses) throw new Error('no data'); },
    removeAttribute() {}, load() {},
  };
  const world = {
    location: { href: 'http://engine/hls' }, performance: { now: () => now },
    setInterval: (body) => { look = body; }, clearInterval: () => { look = null; },
    setTimeout: (body) => { next = body; }, clearTimeout: () => { next = null; },
  };
  const player = new NativePlayer(audio, '/hls/listener/1/', (state) => events.push(state.state), world);
  const pass = (seconds, isMoving) => {
    for (let second = 0; second < seconds; second += 1) {
      now += 1000;
      if (isMoving) audio.currentTime += 1;
      look();
    }
  };
  await player.play();
  pass(30, true);
  assert.deepEqual([begun.length, events], [1, ['playing']]);
  pass(8, false);
  assert.deepEqual(events, ['playing', 'connecting']);
  audio.refuses = true;
  await next();
  await new Promise(setImmediate);
  assert.deepEqual([begun.length, events.at(-1)], [2, 'connecting']);
  audio.refuses = false;
  await next();
  assert.deepEqual([begun.length, events.at(-1)], [3, 'playing']);
  audio.onended();
  assert.equal(events.at(-1), 'connecting');
  player.stop();
  assert.deepEqual([look, next, audio.onerror], [null, null, null]);
});
