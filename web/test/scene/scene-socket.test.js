import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SceneSocket } from '../../js/scene/scene-socket.js';

/** A connection whose clock and frames the test makes. */
function world() {
  const made = { events: [], now: 0, ticks: [], sockets: [] };
  class WebSocket {
    static OPEN = 1;

    constructor(address) {
      Object.assign(this, { address, readyState: 1, sent: [], isClosed: false });
      made.sockets.push(this);
    }

    send(text) {
      this.sent.push(text);
    }

    close() {
      this.isClosed = true;
    }
  }
  const page = {
    WebSocket, performance: { timeOrigin: 0, now: () => made.now }, clearInterval: () => { made.ticks = []; },
    setInterval: (action) => {
      made.ticks.push(action);
      return 1;
    },
  };
  const pass = (milliseconds) => {
    for (let step = 0; step < milliseconds; step += 500) {
      made.now += 500;
      for (const tick of made.ticks) tick();
    }
  };
  const socket = new SceneSocket('ws://engine/audio/scene/1', { postMessage() {} }, (events) => made.events.push(events), page);
  return { made, socket, pass, closed: () => made.events.filter(({ closed }) => closed) };
}

test('a connection that is open but silent is lost, and one with packets is not', () => {
  const { made, pass, closed } = world();
  const [socket] = made.sockets;
  for (let second = 0; second < 20; second += 1) {
    pass(1000);
    socket.onmessage({ data: new ArrayBuffer(8) });
  }
  assert.deepEqual(closed(), []);
  // Texts are answered by the engine's other half, and are no sound.
  for (let second = 0; second < 10; second += 1) {
    pass(1000);
    socket.onmessage?.({ data: '{"type":"time","id":1}' });
  }
  assert.deepEqual(closed().map((each) => each.closed.code), [1006]);
  assert.equal(socket.isClosed, true);
  pass(20_000);
  assert.equal(closed().length, 1);
});

test('the status of a connection that the engine has closed is passed on', () => {
  const { made, closed } = world();
  made.sockets[0].onclose({ code: 4002, reason: 'ended' });
  assert.deepEqual(closed(), [{ closed: { code: 4002, reason: 'ended' } }]);
});
