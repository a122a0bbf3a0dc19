import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adjective, scoreText } from '../../js/listening-test/scale.js';
import { TestSocket } from '../../js/listening-test/test-socket.js';

test('each adjective covers twenty points', () => {
  assert.deepEqual([100, 81, 80, 79, 60, 50, 40, 21, 20, 19, 0].map(adjective),
    ['Excellent', 'Excellent', 'Good', 'Good', 'Fair', 'Fair', 'Poor', 'Poor', 'Bad', 'Bad', 'Bad']);
  assert.equal(scoreText(null), 'not rated yet');
  assert.equal(scoreText(71.6), '72, Good');
});

test('the socket connects again, and passes on views, positions and problems', () => {
  const sockets = [];
  const timers = [];
  const events = [];
  const socket = new TestSocket({
    origin: 'https://engine:8080',
    socket: (url) => sockets[sockets.push({ url, sent: [], readyState: 0, send(text) { this.sent.push(text); } }) - 1],
    setTimer: (action) => timers.push(action),
  }, Object.fromEntries(['view', 'position', 'problem', 'state'].map((name) => [name, (value) => events.push([name, value])])));
  socket.start();
  assert.equal(sockets[0].url, 'wss://engine:8080/listening-test');
  assert.equal(socket.send({ type: 'next' }), false);
  sockets[0].readyState = 1;
  sockets[0].onopen();
  assert.equal(socket.send({ type: 'hear', sound: 2 }), true);
  assert.deepEqual(sockets[0].sent, ['{"type":"hear","sound":2}']);
  for (const data of ['{"view":{"phase":"idle"}}', '{"position":0}', '{"problem":"no"}']) sockets[0].onmessage({ data });
  sockets[0].onclose();
  assert.deepEqual(events, [['state', true], ['view', { phase: 'idle' }], ['position', 0], ['problem', 'no'], ['state', false]]);
  timers[0]();
  assert.equal(sockets.length, 2);
});
