import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OfflineListener } from '../../js/listen/engine/offline-listener.js';
import { roles } from '../../js/shared/tree/roles.js';

/** A page with a listener of its own, which plays a recording. */
function world() {
  const state = { values: new Map([[roles.listenerGain, -6], [roles.listenerMute, false]]), gains: [], isOn: true, claims: 0 };
  const engine = {
    own: (role) => (state.isOn ? role : null), claim: () => { state.claims += 1; },
    values: { of: (role) => [state.values.get(role)], number: (role) => state.values.get(role) },
    send: (role, [value]) => state.values.set(role, value),
  };
  const page = {
    navigator: { userAgent: 'X11; Linux' }, setInterval: (tell) => { state.tell = tell; }, clearInterval: () => { state.ended = true; },
  };
  const player = { delays: { sound: 0.04 }, setListener: ({ gain }) => state.gains.push(gain) };
  return { state, listener: new OfflineListener(engine, player, page) };
}

test('a page that plays a recording reports it, and follows gain and mute of its listener', () => {
  const { state, listener } = world();
  state.tell();
  assert.deepEqual([state.values.get(roles.clientMode), state.values.get(roles.clientDelay), state.claims], ['offline', 40, 1]);
  listener.follow();
  listener.follow();
  state.values.set(roles.listenerMute, true);
  listener.follow();
  // The volume of the page is the engine's, and does not end its mute.
  assert.equal(listener.setGain(-3), true);
  state.values.set(roles.listenerMute, false);
  listener.follow();
  assert.deepEqual(state.gains, [-6, -Infinity, -3]);
  assert.equal(state.values.get(roles.listenerGain), -3);
  listener.end();
  assert.equal(state.ended, true);
});

test('a page without a listener sets its own volume', () => {
  const { state, listener } = world();
  state.isOn = false;
  listener.follow();
  assert.equal(listener.setGain(-3), false);
  assert.deepEqual(state.gains, []);
});
