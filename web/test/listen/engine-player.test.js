import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EnginePlayer } from '../../js/listen/players/engine-player.js';
import { Throttle } from '../../js/shared/numbers/throttle.js';

/** A player that has joined, in a mode, and what it has sent. */
function joined(mode) {
  const state = { sent: [], heads: 0, now: 0, timers: [] };
  const node = { parent: { name: '2' } };
  const engine = { own: () => node, send: (_, head) => state.sent.push(head), sceneRefusal: null };
  const player = new EnginePlayer(engine, null, {});
  player.sound = { mode, name: '2', setHead: () => { state.heads += 1; } };
  const { interval, send } = player.poses;
  player.poses = new Throttle(interval, send, {
    now: () => state.now, setTimer: (action, delay) => state.timers.push({ action, due: state.now + delay }),
  });
  const pass = (milliseconds) => {
    state.now += milliseconds;
    for (const { action, due } of state.timers.splice(0)) if (due <= state.now) action(); else state.timers.push({ action, due });
  };
  return { player, state, pass };
}

test('a page that renders turns its own head at once, and tells the engine at most twenty times a second, with the last head', () => {
  const { player, state, pass } = joined('client');
  for (let i = 0; i < 120; i += 1) {
    player.setHead([1, 0, 0, i]);
    pass(1000 / 120);
  }
  pass(100);
  assert.equal(state.heads, 120);
  assert.ok(state.sent.length >= 15 && state.sent.length <= 21, `${state.sent.length} poses in a second`);
  assert.deepEqual(state.sent.at(-1), [1, 0, 0, 119]);
});

test('an engine that renders gets every head at once', () => {
  const { player, state } = joined('server');
  for (let i = 0; i < 120; i += 1) player.setHead([1, 0, 0, i]);
  assert.equal(state.sent.length, 120);
});

test('an engine that sends no scene renders, with the reason', () => {
  const { player } = joined('client');
  player.sound = null;
  assert.equal(player.mode, 'client');
  player.engine.sceneRefusal = 'the sound device of the engine runs at 44.1 kHz';
  assert.equal(player.mode, 'server');
  assert.match(player.modeText, /Rendered by the engine: .*44\.1 kHz/);
});
