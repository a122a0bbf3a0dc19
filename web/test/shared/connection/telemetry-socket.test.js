import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traffic } from '../../../js/engine/clients-card.js';
import { Telemetry } from '../../../js/shared/connection/telemetry-socket.js';
import { FakeClock } from '../../fixture.js';

class World extends FakeClock {
  constructor() {
    super();
    this.origin = 'https://engine:8080';
    this.sockets = [];
    this.socket = (url, protocol) => {
      const socket = { url, protocol, sent: [], send: (text) => socket.sent.push(text), close: () => { socket.isClosed = true; } };
      this.sockets.push(socket);
      return socket;
    };
  }
}

test('a topic is received until it is stopped, and again after a lost connection', async () => {
  const world = new World();
  const heard = [];
  const states = [];
  const telemetry = new Telemetry(world, ['clients'], 1, (data) => heard.push(data), (isOpen) => states.push(isOpen));
  telemetry.start();
  telemetry.start();
  assert.equal(world.sockets.length, 1);
  const [socket] = world.sockets;
  assert.deepEqual([socket.url, socket.protocol], ['wss://engine:8080/', 'vestibule.telemetry.v1']);
  socket.onopen();
  assert.deepEqual(JSON.parse(socket.sent[0]), { type: 'subscribe', topics: ['clients'], rate: 1 });
  for (const message of [{ type: 'hello' }, { type: 'frame', topic: 'log', data: 1 }, { type: 'frame', topic: 'clients', data: 2 }]) {
    socket.onmessage({ data: JSON.stringify(message) });
  }
  assert.deepEqual(heard, [2]);
  socket.onclose();
  assert.deepEqual(states, [true, false]);
  await world.pass(1999);
  assert.equal(world.sockets.length, 1);
  await world.pass(1);
  assert.equal(world.sockets.length, 2);
  telemetry.stop();
  assert.ok(world.sockets[1].isClosed);
  await world.pass(10_000);
  assert.equal(world.sockets.length, 2);
});

test('traffic of a client in words', () => {
  assert.equal(traffic({ rate: 60, dropped: 0 }), '60 frames/s');
  assert.equal(traffic({ rate: 29.9, round_trip: 0.31, dropped: 4 }), '29.9 frames/s, 0.31 ms round trip, 4 dropped');
});
