import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { test } from 'node:test';
import { TusUpload } from '../../js/library/tus-upload.js';

const answer = (status, headers = {}, text = '') =>
  ({ status, ok: status < 300, headers: { get: (name) => headers[name] ?? null }, text: async () => text });

/** A server by the tus protocol as its text has it, that fails where `fail(request, number)` answers something or throws. */
class Server {
  requests = [];
  received = new Uint8Array(0);
  isThere = false;
  isStored = false;

  constructor(fail = () => null) {
    this.fail = fail;
  }

  fetch = async (address, { method, headers = {}, body, signal } = {}) => {
    this.requests.push(method);
    const failed = this.fail(method, this.requests.length, this);
    if (failed) return failed;
    if (method === 'POST') {
      this.isThere = true;
      this.received = new Uint8Array(0);
      return answer(201, { Location: '/library/uploads/1' });
    }
    if (address !== '/library/uploads/1') return answer(this.isStored ? 200 : 404, { 'Content-Length': String(this.received.length) });
    if (!this.isThere) return answer(404);
    if (method === 'HEAD') return answer(200, { 'Upload-Offset': String(this.received.length) });
    if (method === 'DELETE') {
      this.isThere = false;
      return answer(204);
    }
    assert.equal(headers['Upload-Offset'], String(this.received.length));
    const digest = await webcrypto.subtle.digest('SHA-256', body);
    if (signal.aborted) throw new TypeError('aborted');
    assert.equal(headers['Upload-Checksum'], `sha256 ${Buffer.from(digest).toString('base64')}`);
    this.take(body);
    return answer(204, { 'Upload-Offset': String(this.received.length) });
  };

  take(body) {
    this.received = Uint8Array.from([...this.received, ...new Uint8Array(body)]);
    if (this.received.length === this.size) [this.isStored, this.isThere] = [true, false];
  }
}

const bytes = Uint8Array.from({ length: 9 * 1024 }, (_, i) => (i * 7 + (i >> 8)) & 255);

function upload(server, memory = new Map()) {
  const events = { words: [], done: [], refused: [], interrupted: [] };
  server.size = bytes.length;
  const made = new TusUpload(new File([bytes], 'a.wav', { lastModified: 5 }), 'recordings', {
    fetch: server.fetch, partSize: 4096,
    digest: (buffer) => webcrypto.subtle.digest('SHA-256', buffer), later: (body) => setImmediate(body),
    memory: {
      getItem: (key) => memory.get(key) ?? null, setItem: (key, value) => memory.set(key, value), removeItem: (key) => memory.delete(key),
    },
  }, {
    progress: (share, words) => events.words.push(words), done: (name) => events.done.push(name),
    refused: (...refusal) => events.refused.push(refusal), interrupted: (text) => events.interrupted.push(text),
  });
  return { made, events, memory };
}

test('a file is sent in parts with checksums', async () => {
  const server = new Server();
  const { made, events, memory } = upload(server);
  await made.start();
  assert.deepEqual(server.requests, ['POST', 'PATCH', 'PATCH', 'PATCH']);
  assert.ok(Buffer.from(server.received).equals(Buffer.from(bytes)));
  assert.deepEqual([events.done, events.refused, memory.size], [['a.wav'], [], 0]);
});

test('after a lost connection it goes on from where the engine is', async () => {
  let isLost = false;
  const server = new Server((method, number) => {
    if (method === 'PATCH' && !isLost && number === 3) {
      isLost = true;
      throw new TypeError('network');
    }
    return null;
  });
  const { made, events } = upload(server);
  await made.start();
  assert.deepEqual(server.requests, ['POST', 'PATCH', 'PATCH', 'HEAD', 'PATCH', 'PATCH']);
  assert.ok(Buffer.from(server.received).equals(Buffer.from(bytes)));
  assert.deepEqual(events.done, ['a.wav']);
  assert.ok(events.words.includes('Waiting for the engine'));
});

test('an answer to the last part that was lost is no second upload', async () => {
  let isLost = false;
  const server = new Server((method, number, self) => {
    if (method === 'PATCH' && !isLost && self.received.length === 8 * 1024) {
      isLost = true;
      self.take(bytes.slice(8 * 1024));
      throw new TypeError('network');
    }
    return null;
  });
  const { made, events } = upload(server);
  await made.start();
  assert.equal(server.requests.filter((method) => method === 'POST').length, 1);
  assert.deepEqual(events.done, ['a.wav']);
});

test('the outcome of a file is asked for when the answer to its last part was lost', async () => {
  for (const [status, outcome] of [[200, 'done'], [460, 'refused'], [507, 'interrupted']]) {
    let isLost = false;
    const server = new Server((method, number, self) => {
      if (method === 'HEAD' && isLost) return answer(status, { 'Upload-Offset': String(bytes.length) });
      if (method === 'PATCH' && isLost) return answer(507, {}, 'the disk is full');
      if (method !== 'PATCH' || self.received.length !== 8 * 1024) return null;
      isLost = true;
      throw new TypeError('network');
    });
    const { made, events } = upload(server);
    await made.start();
    assert.deepEqual([events.done.length, events.refused.length, events.interrupted.length],
      ['done', 'refused', 'interrupted'].map((name) => Number(name === outcome)), String(status));
  }
});

test('a page that is loaded again continues, and a server that has forgotten gets all of it', async () => {
  const server = new Server();
  const memory = new Map();
  const first = upload(server, memory);
  const began = first.made.start();
  while (server.received.length === 0) await new Promise(setImmediate);
  first.made.pause();
  await began;
  const arrived = server.received.length;
  assert.ok(arrived > 0 && arrived < bytes.length);
  const second = upload(server, memory);
  await second.made.start();
  assert.equal(server.requests.filter((method) => method === 'POST').length, 1);
  assert.deepEqual(second.events.done, ['a.wav']);

  memory.set('upload recordings a.wav 9216 5', '/library/uploads/1');
  const third = upload(server, memory);
  await third.made.start();
  assert.equal(server.requests.filter((method) => method === 'POST').length, 2);
  assert.deepEqual(third.events.done, ['a.wav']);
});

test('a refusal is told, and a damaged part is sent again', async () => {
  const refusing = upload(new Server((method) => (method === 'POST' ? answer(409, {}, 'there is a file a.wav\n') : null)));
  await refusing.made.start();
  assert.deepEqual(refusing.events.refused, [['there is a file a.wav', 409]]);

  let isDamaged = false;
  const server = new Server((method) => {
    if (method !== 'PATCH' || isDamaged) return null;
    isDamaged = true;
    return answer(460, {}, 'the part does not match its SHA-256');
  });
  const damaged = upload(server);
  await damaged.made.start();
  assert.deepEqual(server.requests.slice(0, 4), ['POST', 'PATCH', 'HEAD', 'PATCH']);
  assert.deepEqual(damaged.events.done, ['a.wav']);

  const broken = upload(new Server((method) => (method === 'PATCH' ? answer(422, {}, 'a.wav is no sound file') : null)));
  await broken.made.start();
  assert.deepEqual(broken.events.refused, [['a.wav is no sound file', 422]]);
});

test('a full disk interrupts an upload, which is continued from where it was', async () => {
  let isFull = true;
  const server = new Server((method, _, { received }) =>
    (method === 'PATCH' && received.length >= 4096 && isFull ? answer(507, {}, 'the disk is full; free some space') : null));
  const memory = new Map();
  const { made, events } = upload(server, memory);
  await made.start();
  assert.deepEqual([events.interrupted, events.refused, events.done], [['the disk is full; free some space'], [], []]);
  assert.equal(made.isPaused, true);
  assert.equal(memory.size, 1, 'a later visit continues it');
  isFull = false;
  await made.start();
  assert.deepEqual([events.done, server.received], [['a.wav'], bytes]);
  assert.equal(server.requests.filter((method) => method === 'POST').length, 1);
});

test('a cancelled upload is removed from the engine', async () => {
  const server = new Server();
  const { made, events, memory } = upload(server);
  const began = made.start();
  while (server.received.length === 0) await new Promise(setImmediate);
  await made.cancel();
  await began;
  assert.equal(server.requests.at(-1), 'DELETE');
  assert.deepEqual([events.done, memory.size], [[], 0]);
});
