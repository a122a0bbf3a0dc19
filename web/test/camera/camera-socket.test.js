import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CameraSocket } from '../../js/camera/camera-socket.js';
import { captureProblem, linkWords, offerWords, peerName } from '../../js/camera/camera-words.js';
import { FakeClock } from '../fixture.js';

function socketIn(clock) {
  const sockets = [];
  const seen = { states: [], messages: [], ends: [], locked: 0 };
  const answers = {};
  const world = {
    origin: 'https://engine', fetch: async (path) => answers[path], setTimer: clock.setTimer, clearTimer: clock.clearTimer,
    socket: (url) => {
      const made = { url, sent: [], readyState: 1, bufferedAmount: 0, send: (data) => made.sent.push(data), close: () => made.onclose({}) };
      sockets.push(made);
      return made;
    },
  };
  const socket = new CameraSocket(world, () => ({ type: 'hello', name: 'A' }), clock.now, {
    state: (isOpen, why) => {
      seen.states.push(isOpen);
      if (!isOpen) seen.ends.push(why);
    },
    message: (message) => seen.messages.push(message), frame: () => {},
    locked: () => { seen.locked += 1; },
  });
  return { socket, sockets, seen, answers };
}

test('a socket says hello, answers questions about its clock, and connects again', async () => {
  const clock = new FakeClock();
  const { socket, sockets, seen } = socketIn(clock);
  socket.start();
  assert.equal(sockets[0].url, 'wss://engine/camera/peers');
  sockets[0].onopen();
  assert.deepEqual(JSON.parse(sockets[0].sent[0]), { type: 'hello', name: 'A' });
  assert.equal(socket.isOpen, false);
  sockets[0].onmessage({ data: JSON.stringify({ type: 'hello', peer: 4 }) });
  assert.deepEqual([socket.isOpen, socket.peer, seen.states], [true, 4, [true]]);
  await clock.pass(250);
  sockets[0].onmessage({ data: JSON.stringify({ type: 'time', id: 9 }) });
  assert.deepEqual(JSON.parse(sockets[0].sent[1]), { type: 'time', id: 9, received: 250, answered: 250 });
  sockets[0].onclose({ code: 1006 });
  assert.equal(socket.isOpen, false);
  await clock.pass(1000);
  assert.equal(sockets.length, 2);
  socket.stop();
  await clock.pass(5000);
  assert.equal(sockets.length, 2);
});

test('a socket knows whether it was ever open, and why the engine takes no peer', async () => {
  const { socket, sockets, seen, answers } = socketIn(new FakeClock());
  socket.start();
  sockets[0].onclose({ code: 1006, reason: '' });
  assert.deepEqual(seen.ends, [{ code: 1006, reason: '', wasOpen: false }]);
  socket.start();
  sockets[1].onmessage({ data: JSON.stringify({ type: 'hello', peer: 4 }) });
  sockets[1].onclose({ code: 1006, reason: '' });
  assert.equal(seen.ends[1].wasOpen, true);
  const answer = (status, text) => { answers['/camera/peers'] = { status, text: async () => `${text}\n` }; };
  assert.equal(await socket.refusal(), '');
  answer(426, 'a WebSocket is needed');
  assert.equal(await socket.refusal(), '');
  answer(404, 'cameras are turned off at this engine (serve --cameras 0)');
  assert.equal(await socket.refusal(), 'Cameras are turned off at this engine (serve --cameras 0).');
  answer(503, '64 browsers exchange cameras already; try again later');
  assert.equal(await socket.refusal(), '64 browsers exchange cameras already; try again later.');
});

test('words for offers, peers, problems and links', () => {
  assert.equal(offerWords({ source: 'camera', sound: true, admit: 'ask' }), 'Camera with sound, asks each time');
  assert.equal(peerName({ name: 'Phone', paired: true }), 'Phone');
  assert.equal(peerName({ name: 'Phone', paired: false }), 'Phone (not paired)');
  assert.match(captureProblem('camera', { name: 'NotAllowedError' }), /^Camera: .*not allowed/);
  assert.match(captureProblem('microphone', { name: 'Strange', message: 'unheard of' }), /unheard of$/);
  assert.equal(linkWords({ bitrate: 512_000, width: 640, height: 360, rate: 25, skipped: 2, late: 1, delay: { middle: 80, most: 120 } }),
    '512 kbit/s, 640 × 360, 25 pictures/s, 3 left out, 80 ms delay, 95 % within 120 ms');
});

test('an engine that wants a token is not asked again and again', async () => {
  const clock = new FakeClock();
  const { socket, sockets, seen, answers } = socketIn(clock);
  socket.start();
  sockets[0].onclose({ code: 1006, reason: '' });
  answers['/camera/peers'] = { status: 401, text: async () => '' };
  assert.equal(await socket.refusal(), '');
  assert.equal(await socket.refusal(), '');
  await clock.pass(10_000);
  assert.deepEqual([sockets.length, seen.locked], [1, 1]);
  socket.start();
  assert.equal(sockets.length, 2);
});
