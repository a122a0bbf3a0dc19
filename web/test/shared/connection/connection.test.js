import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection, backoff } from '../../../js/shared/connection/connection.js';
import { decode, encodeBundle, encodeMessage } from '../../../js/shared/connection/osc.js';
import { ListedScope } from '../../../js/shared/tree/listed-scope.js';
import { listenersOf } from '../../../js/shared/tree/tree.js';
import { Values } from '../../../js/shared/tree/values.js';
import { FakeClock, freshTree, settle, treeWithMicrophones } from '../../fixture.js';

/** An engine with its own clock, which answers or remains silent. */
class FakeEngine extends FakeClock {
  constructor() {
    super();
    this.origin = 'http://engine:8080';
    this.isUp = true;
    this.tree = freshTree();
    this.sockets = [];
    this.fetches = 0;
    this.status = 200;
    this.timesLocked = 0;
    this.states = [];
    this.errors = [];
    this.trees = [];
    this.values = new Values();
    this.asked = [];
    this.fetch = async (path) => {
      this.fetches += 1;
      this.asked.push(path);
      if (!this.isUp) throw new TypeError('failed to fetch');
      const node = path.split('/').filter(Boolean).reduce((each, name) => each?.CONTENTS?.[name], this.tree);
      const status = node ? this.status : 404;
      const headers = new Map(this.version ? [['namespace-version', this.version]] : []);
      return { ok: status === 200, status, headers, json: async () => structuredClone(node) };
    };
    this.socket = (url) => {
      const socket = {
        url,
        readyState: 0,
        sent: [],
        send: (data) => socket.sent.push(data),
        close: () => { socket.readyState = 3; },
      };
      this.sockets.push(socket);
      return socket;
    };
    this.connection = new Connection(this, this.values, {
      state: (state) => this.states.push(state),
      tree: (root) => this.trees.push(root),
      error: (text) => this.errors.push(text),
      locked: () => { this.timesLocked += 1; },
    });
  }

  get last() {
    return this.sockets.at(-1);
  }

  open() {
    this.last.readyState = 1;
    this.last.onopen();
  }

  frame(address, ...values) {
    this.last.onmessage({ data: encodeMessage(address, values).buffer });
  }

  async goLive() {
    await this.connection.start();
    this.open();
    this.frame('/engine/load', 0.1);
  }

  /** Sends a frame every 100 ms for a number of milliseconds. */
  async chat(milliseconds) {
    for (let time = 0; time < milliseconds; time += 100) {
      await this.pass(100);
      this.frame('/engine/load', time / 1e6);
    }
  }
}

test('a connection reads the tree, opens the socket, listens to everything and goes live', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  assert.deepEqual(engine.states, ['live']);
  assert.equal(engine.last.url, 'ws://engine:8080/');
  assert.equal(engine.last.binaryType, 'arraybuffer');
  assert.deepEqual(JSON.parse(engine.last.sent[0]), { COMMAND: 'LISTEN', DATA: '/' });
  assert.equal(engine.trees.length, 1);
  assert.equal(engine.values.at('/listener/1/method')[0], 'ring-spectral', 'values of the tree are known at once');
});

test('messages and bundles reach observers', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  const seen = [];
  const end = engine.values.watch('/a', (values) => seen.push(values));
  engine.frame('/a', 1);
  engine.last.onmessage({ data: encodeBundle([encodeMessage('/a', [2]), encodeMessage('/b', [3])]).buffer });
  end();
  engine.frame('/a', 4);
  assert.deepEqual(seen, [[1], [2]]);
  assert.deepEqual(engine.values.at('/b'), [3]);
});

test('a silent engine is asked for a value, is stale after 1.5 s, and live again at the next frame', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  await engine.chat(3000);
  assert.equal(engine.connection.state, 'live');
  assert.equal(engine.last.sent.length, 1, 'nobody is asked while frames come');
  await engine.pass(1250);
  assert.equal(engine.connection.state, 'live');
  assert.equal(JSON.parse(engine.last.sent[1]).COMMAND, 'LISTEN');
  await engine.pass(500);
  assert.equal(engine.connection.state, 'stale');
  assert.equal(engine.connection.silence, 1750);
  engine.frame('/engine/load', 0.2);
  assert.equal(engine.connection.state, 'live');
});

test('a socket that stays silent is closed and opened again', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  await engine.pass(8500);
  assert.ok(engine.states.includes('lost'));
  assert.match(engine.connection.reason, /silent/);
  assert.equal(engine.sockets[0].readyState, 3);
  assert.equal(engine.sockets.length, 2);
});

test('a lost connection is retried after 0.25, 0.5, 1, 2, 4, 4 s, with a reason', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  engine.isUp = false;
  engine.last.onclose();
  assert.equal(engine.connection.state, 'lost');
  const waits = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const wait = engine.connection.retryAt - engine.now();
    waits.push(wait);
    const before = engine.fetches;
    await engine.pass(wait - 1);
    assert.equal(engine.fetches, before, 'it tried too early');
    await engine.pass(1);
    assert.equal(engine.fetches, before + 1, 'it did not try');
  }
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 4000]);
  assert.equal(backoff(4000), 4000);
  assert.equal(engine.connection.reason,
    'The engine at http://engine:8080 does not answer. Check that “vestibule serve” is running.');
  engine.isUp = true;
  await engine.pass(4000);
  engine.open();
  engine.frame('/engine/load', 0.1);
  assert.equal(engine.connection.state, 'live');
  engine.last.onclose();
  assert.equal(engine.connection.retryAt - engine.now(), 250, 'a frame resets the delay');
});

test('a retry by hand happens at once', async () => {
  const engine = new FakeEngine();
  engine.isUp = false;
  await engine.connection.start();
  await engine.pass(3000);
  engine.isUp = true;
  const before = engine.fetches;
  engine.connection.retry();
  await settle();
  assert.equal(engine.fetches, before + 1);
  assert.equal(engine.sockets.length, 1);
});

test('PATH_CHANGED reads the tree again, once for several', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  engine.tree = treeWithMicrophones(16);
  for (const path of ['/array', '/meter']) {
    engine.last.onmessage({ data: JSON.stringify({ COMMAND: 'PATH_CHANGED', DATA: path }) });
  }
  await engine.pass(100);
  assert.equal(engine.trees.length, 2);
  assert.equal(engine.trees[1].find('microphone.azimuth').type.length, 16);
  assert.equal(engine.connection.state, 'live');
});

test('a slow tree does not overwrite values received or sent meanwhile', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  engine.frame('/listener/1/gain', -3);
  engine.frame('/listener/1/mute', 1);
  await engine.pass(100);
  // The tree as of before the changes below; it arrives 400 ms later.
  engine.tree = freshTree();
  engine.fetch = async () => {
    await new Promise((resolve) => { engine.setTimer(resolve, 400); });
    return { ok: true, status: 200, json: async () => engine.tree };
  };
  engine.last.onmessage({ data: JSON.stringify({ COMMAND: 'PATH_CHANGED', DATA: '/rack' }) });
  await engine.pass(100);
  engine.frame('/session/name', 'morning');
  engine.connection.send('/listener/1/front', [30]);
  engine.values.set('/listener/1/front', [30]);
  await engine.pass(1000);
  assert.equal(engine.trees.length, 2);
  assert.deepEqual(engine.values.at('/session/name'), ['morning']);
  assert.deepEqual(engine.values.at('/listener/1/front'), [30]);
  // Values received before the tree was requested are replaced by the tree's.
  assert.deepEqual(engine.values.at('/listener/1/gain'), [0]);
});

test('a renamed path makes the tree be read again', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  engine.last.onmessage({ data: JSON.stringify({ COMMAND: 'PATH_RENAMED', DATA: { OLD: '/a', NEW: '/b' } }) });
  await engine.pass(100);
  assert.deepEqual(engine.asked, ['/', '/']);
  assert.equal(engine.trees.length, 2);
});

/** Tells that the tree has changed. */
const tell = (engine, command, ...paths) => {
  for (const path of paths) engine.last.onmessage({ data: JSON.stringify({ COMMAND: command, DATA: path }) });
};

test('only what was added is read, and only its values are loaded', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  engine.frame('/listener/1/gain', -3);
  engine.tree.CONTENTS.listener.CONTENTS[7] =
    JSON.parse(JSON.stringify(engine.tree.CONTENTS.listener.CONTENTS[1]).replaceAll('/listener/1', '/listener/7'));
  tell(engine, 'PATH_ADDED', '/listener/7/ypr', '/listener/7/gain', '/listener/7');
  await engine.pass(100);
  assert.deepEqual(engine.asked, ['/', '/listener/7']);
  assert.ok([...engine.trees[1].all()].some(({ path }) => path === '/listener/7/ypr'));
  assert.deepEqual(engine.values.at('/listener/7/gain'), [0]);
  assert.deepEqual(engine.values.at('/listener/1/gain'), [-3], 'values of before are not loaded again');
  tell(engine, 'PATH_REMOVED', '/listener/7/ypr', '/listener/7/gain', '/listener/7');
  await engine.pass(100);
  assert.deepEqual(engine.asked, ['/', '/listener/7'], 'nothing is read for what has gone');
  assert.ok(![...engine.trees[2].all()].some(({ path }) => path.startsWith('/listener/7')));
  tell(engine, 'PATH_ADDED', '/listener/8');
  await engine.pass(100);
  assert.equal(engine.connection.state, 'live', 'it has gone already');
  tell(engine, 'PATH_ADDED', '/unknown/container/a');
  engine.tree.CONTENTS.unknown = { FULL_PATH: '/unknown', CONTENTS: { container: { FULL_PATH: '/unknown/container', CONTENTS: {
    a: { FULL_PATH: '/unknown/container/a', TYPE: 'f', ACCESS: 3, VALUE: [1] } } } } };
  await engine.pass(100);
  assert.equal(engine.asked.at(-1), '/', 'the whole tree where its container is unknown');
});

test('what is added while the whole tree is on its way is in the tree', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  const { fetch } = engine;
  let arrive = null;
  // The answer is what the tree was when it was asked for, and arrives late.
  engine.fetch = async (path, options) => {
    const answer = await fetch(path, options);
    const json = await answer.json();
    if (path === '/') await new Promise((done) => { arrive = done; });
    return { ...answer, json: async () => json };
  };
  tell(engine, 'PATH_CHANGED', '/listener/1/method');
  await engine.pass(100);
  engine.tree.CONTENTS.listener.CONTENTS[7] =
    JSON.parse(JSON.stringify(engine.tree.CONTENTS.listener.CONTENTS[1]).replaceAll('/listener/1', '/listener/7'));
  tell(engine, 'PATH_ADDED', '/listener/7');
  await engine.pass(100);
  arrive();
  await engine.pass(100);
  assert.deepEqual(engine.asked, ['/', '/', '/listener/7']);
  assert.ok([...engine.trees.at(-1).all()].some(({ path }) => path === '/listener/7/ypr'));
});

test('two hundred listeners that join are read once each, as far as they are listed', async () => {
  const families = ['/listener', '/rack/listener', '/meter/listener', '/latency/listener'];
  const engine = new FakeEngine();
  engine.tree.CONTENTS.listener.CONTENTS.wired.VALUE = [1];
  engine.connection.copy.scope = new ListedScope();
  await engine.goLive();
  for (let number = 2; number <= 201; number += 1) {
    for (const family of families) {
      const container = family.slice(1).split('/').reduce((each, name) => each.CONTENTS[name], engine.tree);
      if (number <= 32) {
        container.CONTENTS[number] = JSON.parse(JSON.stringify(container.CONTENTS[1]).replaceAll(`${family}/1`, `${family}/${number}`));
      }
      tell(engine, 'PATH_ADDED', `${family}/${number}/any`, `${family}/${number}`);
    }
    await engine.pass(100);
  }
  assert.equal(engine.asked.filter((path) => path === '/').length, 1);
  assert.equal(engine.asked.length, 1 + 31 * families.length);
  assert.equal(listenersOf(engine.trees.at(-1)).length, 32);
  // Many at once are one request.
  tell(engine, 'PATH_ADDED', ...Array.from({ length: 31 }, (_, index) => `/listener/${index + 2}`));
  await engine.pass(100);
  assert.deepEqual(engine.asked.slice(1 + 31 * families.length), ['/']);
});

test('refused and unreadable messages are reported', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  engine.last.onmessage({ data: JSON.stringify({ COMMAND: 'ERROR', DATA: 'no parameter at /x' }) });
  engine.last.onmessage({ data: new Uint8Array([1, 2, 3]).buffer });
  assert.equal(engine.errors[0], 'no parameter at /x');
  assert.match(engine.errors[1], /could not be read/);
});

test('after a refusal the values that were just sent are requested', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  engine.connection.send('/old', [1]);
  await engine.chat(4000);
  engine.connection.send('/session/recording', ['missing.wav']);
  const before = engine.last.sent.length;
  const refuse = () => engine.last.onmessage({ data: JSON.stringify({ COMMAND: 'ERROR', DATA: 'no such file' }) });
  refuse();
  assert.deepEqual(engine.last.sent.slice(before), ['{"COMMAND":"LISTEN","DATA":"/session/recording"}']);
  refuse();
  assert.equal(engine.last.sent.length, before + 1, 'asked twice');
});

test('a value that was on its way does not replace what was sent: the newest is requested', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  const send = (value) => {
    engine.connection.send('/tuner/mute', [value]);
    engine.values.set('/tuner/mute', [value]);
  };
  send(true);
  const before = engine.last.sent.length;
  engine.frame('/tuner/mute', false);
  assert.deepEqual(engine.values.at('/tuner/mute'), [true]);
  assert.deepEqual(engine.last.sent.slice(before), ['{"COMMAND":"LISTEN","DATA":"/tuner/mute"}']);
  // Of another client, or in place of a value that was refused.
  engine.frame('/tuner/mute', false);
  assert.deepEqual(engine.values.at('/tuner/mute'), [false]);
  assert.equal(engine.last.sent.length, before + 1, 'asked twice');
});

test('sending is binary OSC, and returns false without a connection', async () => {
  const engine = new FakeEngine();
  assert.equal(engine.connection.send('/a', [1]), false);
  await engine.goLive();
  assert.equal(engine.connection.send('/a', [1, true], 'fT'), true);
  assert.deepEqual(decode(engine.last.sent.at(-1)), { address: '/a', types: 'fT', values: [1, true] });
});

test('a socket of an earlier attempt is ignored', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  const old = engine.last;
  old.onclose();
  await engine.pass(250);
  engine.open();
  assert.equal(old.onmessage, null);
  assert.equal(engine.connection.state, 'live');
});

test('an engine that requires a token is recognised, and tried again after the login', async () => {
  const engine = new FakeEngine();
  engine.status = 401;
  await engine.connection.start();
  assert.equal(engine.connection.state, 'lost');
  assert.equal(engine.connection.reason, 'The engine at http://engine:8080 requires a token.');
  assert.equal(engine.timesLocked, 1);
  engine.status = 200;
  engine.connection.retry();
  await settle();
  engine.open();
  assert.equal(engine.connection.state, 'live');
});

test('an attempt under way before the login does not ask for the token again', async () => {
  const engine = new FakeEngine();
  const fetch = engine.fetch;
  engine.status = 401;
  await engine.connection.start();
  // The next automatic attempt is answered late, and was sent before the login.
  engine.fetch = () => new Promise((resolve) => { engine.setTimer(() => resolve({ ok: false, status: 401 }), 400); });
  await engine.pass(600);
  assert.equal(engine.connection.state, 'connecting');
  engine.fetch = fetch;
  engine.status = 200;
  engine.connection.retry();
  await settle();
  engine.open();
  assert.equal(engine.connection.state, 'live');
  const before = engine.timesLocked;
  await engine.pass(500);
  assert.equal(engine.connection.state, 'live');
  assert.equal(engine.timesLocked, before);
});

test('a page that another client disconnected reconnects only by hand', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  const before = engine.sockets.length;
  engine.last.onclose({ code: 4002 });
  assert.equal(engine.connection.state, 'lost');
  assert.match(engine.connection.reason, /closed by another client/);
  await engine.pass(60_000);
  assert.equal(engine.sockets.length, before);
  engine.connection.retry();
  await settle();
  assert.equal(engine.sockets.length, before + 1);
});

test('the engine is told which tree was read when the socket opens', async () => {
  const engine = new FakeEngine();
  await engine.goLive();
  assert.equal(engine.last.url, 'ws://engine:8080/');
  const newer = new FakeEngine();
  newer.version = 'x1-7';
  await newer.goLive();
  assert.equal(newer.last.url, 'ws://engine:8080/?namespace=x1-7');
});
