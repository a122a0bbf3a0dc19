import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepOutputDelay } from '../../js/shared/sound/output-delay.js';
import { TrackerPlayer } from '../../js/listen/players/tracker-player.js';
import { engineDelays } from '../../js/listen/players/player-delays.js';
import { roles } from '../../js/shared/tree/roles.js';

const context = { baseLatency: 0.01, outputLatency: 0.03 };
const numbers = { bufferMilliseconds: 40, packetMilliseconds: 20, latency: 0.005, stream: { milliseconds: 6, link: { roundTrip: 8 } } };
const near = (value, wanted) => assert.ok(Math.abs(value - wanted) < 1e-9, `${value}, not ${wanted}`);

test('picture and sound have the same delays of renderer and output', () => {
  const kept = new Map();
  globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  const here = engineDelays(context, 'client', numbers, null);
  near(here.head, 0.045);
  near(here.sound, 0.095);
  // The microphone has measured 120 ms besides, as of Bluetooth headphones.
  keepOutputDelay('', 0.12);
  const there = engineDelays(context, 'client', numbers, null);
  near(there.head, 0.165);
  near(there.sound, 0.215);
  const far = engineDelays(context, 'server', { ...numbers, latency: undefined }, 0.21);
  near(far.sound, 0.21);
  near(far.head, 0.224);
  delete globalThis.localStorage;
});

test('a head tracker of the sound device follows the head as late as the device plays', () => {
  const values = { ypr: [30, 5, 0], delay: [12] };
  const engine = {
    root: {}, choose: () => {}, find: (role) => role === roles.deviceDelay && 'delay',
    own: (role) => role === roles.orientationEuler && 'ypr',
    values: { of: (node) => values[node] ?? [], number: (node) => values[node]?.[0] ?? 0 },
  };
  const player = new TrackerPlayer(engine, '1', {}, {});
  // Without Start, by whatever turns the head.
  assert.deepEqual([player.orientation, player.heading], [[30, 5, 0], 30]);
  assert.deepEqual(player.delays, { sound: 0.012, head: 0.012 });
});
