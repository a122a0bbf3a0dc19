import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListenerPages } from '../../js/listeners/listener-pages.js';
import { FakeClock, settle } from '../fixture.js';

/** An engine with a table of so many listeners, which takes a time for an answer. */
class FakeEngine extends FakeClock {
  constructor(count) {
    super();
    this.count = count;
    this.asked = [];
    this.shown = [];
    this.failures = [];
    this.status = 200;
    this.place = { from: 0, search: '' };
    this.fetch = async (path) => {
      const query = new URLSearchParams(path.split('?')[1]);
      this.asked.push(path);
      const from = Math.min(Number(query.get('from')), this.count);
      const length = Math.min(Number(query.get('count')), this.count - from);
      const listeners = Array.from({ length }, (_, row) => ({ number: from + row + 1 }));
      const page = { total: this.count, matching: this.count, from, listeners };
      return { ok: this.status === 200, status: this.status, json: async () => page };
    };
    this.pages = new ListenerPages(this, this.place, (page) => this.shown.push(page), (text) => this.failures.push(text));
  }
}

test('pages are read several times a second between start and stop', async () => {
  const engine = new FakeEngine(25);
  await engine.pass(1000);
  assert.equal(engine.asked.length, 0);
  engine.pages.start();
  engine.pages.start();
  await settle();
  for (let time = 0; time < 10; time += 1) await engine.pass(100);
  assert.equal(engine.asked.length, 4);
  engine.pages.stop();
  await engine.pass(1000);
  assert.equal(engine.asked.length, 4);
});

test('another page is read at once, and the last one when there are fewer rows', async () => {
  const engine = new FakeEngine(25);
  engine.pages.start();
  await settle();
  engine.pages.go({ from: 20, search: 'a&b' });
  await settle();
  assert.equal(engine.asked.at(-1), '/listeners?from=20&count=10&search=a%26b');
  assert.equal(engine.shown.at(-1).listeners.length, 5);
  engine.count = 12;
  await engine.pass(300);
  await settle();
  assert.deepEqual([engine.shown.at(-1).from, engine.place.from, engine.shown.at(-1).listeners.length], [10, 10, 2]);
});

test('a page that cannot be read is told, and read again', async () => {
  const engine = new FakeEngine(25);
  engine.status = 503;
  engine.pages.start();
  await settle();
  assert.deepEqual(engine.failures, ['The table of listeners could not be read: the engine answered 503.']);
  engine.status = 200;
  await engine.pass(300);
  await settle();
  assert.equal(engine.shown.length, 1);
});

test('an answer that comes after a later question is left out', async () => {
  const engine = new FakeEngine(25);
  const { fetch } = engine;
  let release;
  engine.fetch = (path) => new Promise((done) => { release = () => done(fetch(path)); });
  engine.pages.start();
  const late = release;
  engine.fetch = fetch;
  engine.pages.go({ from: 10 });
  await settle();
  late();
  await settle();
  assert.deepEqual(engine.shown.map((page) => page.from), [10]);
});
