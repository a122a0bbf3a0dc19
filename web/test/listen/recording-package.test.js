import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digest, problemOf, RecordingPackage } from '../../js/listen/packages/recording-package.js';
import { PackageDownload } from '../../js/listen/packages/package-download.js';

const bytes = (number) => new Uint8Array(1000 + number).map((_, i) => (i * 7 + number) % 251).buffer;

/** An index of `count` chunks, with four microphones. */
async function made(count) {
  const chunks = [];
  for (let number = 0; number < count; number += 1) {
    const data = bytes(number);
    chunks.push({ file: `${number}.bin`, bytes: data.byteLength, parts: [data.byteLength], sha256: await digest(data) });
  }
  return {
    format: 'vestibule-recording', version: 1, title: 'Hall', rate: 48000, frames: 48000 * count - 7, chunkFrames: 48000, coding: 'flac',
    groups: [4], array: { azimuths: [0, -90, 180, 90], radius: 0.0875, count: 4 }, chunks,
  };
}

/** A store in memory. */
class Memory {
  files = new Map();

  async read(file) {
    return this.files.get(file) ?? null;
  }

  async write(file, data) {
    this.files.set(file, data);
  }

  async index() {
    const data = this.files.get('index.json');
    return data ? JSON.parse(new TextDecoder().decode(data)) : null;
  }
}

/** A server: `fail(number, count)` says whether a request for a chunk fails. */
function server(index, fail = () => false) {
  const counts = new Map();
  const get = async (url) => {
    const file = url.pathname.split('/').at(-1);
    counts.set(file, (counts.get(file) ?? 0) + 1);
    if (file === 'index.json') return { ok: true, status: 200, json: async () => structuredClone(index) };
    const number = parseInt(file, 10);
    if (fail(number, counts.get(file))) throw new TypeError('the network is gone');
    return { ok: true, status: 200, arrayBuffer: async () => bytes(number) };
  };
  return { counts, get };
}

const url = new URL('http://host/recordings/hall/');

test('an index that is right has no problem', async () => assert.equal(problemOf(await made(3)), null));

for (const [name, change, words] of [
  ['of another format', (index) => { index.format = 'other'; }, /not the index/],
  ['of a later version', (index) => { index.version = 2; }, /version 2/],
  ['with another coding', (index) => { index.coding = 'mp3'; }, /coding is mp3/],
  ['with streams that begin too early', (index) => { index.lead = 1e6; }, /too far away/],
  ['without chunks', (index) => { index.chunks.pop(); }, /chunks are missing/],
  ['with a file in another folder', (index) => { index.chunks[1].file = '../secret.bin'; }, /chunk 1/],
  ['with parts that do not add up', (index) => { index.chunks[2].parts = [1]; }, /chunk 2/],
  ['with a hash of another length', (index) => { index.chunks[0].sha256 = 'ab'; }, /chunk 0/],
  ['with more streams than microphones', (index) => { index.groups = [8]; }, /streams do not fit/],
  ['with two microphones at one place', (index) => { index.array.azimuths = [0, 90, 0, 180]; }, /same place/],
  ['with a huge sphere', (index) => { index.array.radius = 1e9; }, /radius/],
  ['without a title', (index) => { index.title = {}; }, /no title/],
  ['without microphones', (index) => { index.array = {}; }, /no microphones/],
  ['with an endless recording', (index) => { index.frames = 1e15; }, /length/],
  ['that is null', () => null, /not the index/],
]) {
  test(`an index ${name} is refused with the reason`, async () => {
    const index = await made(3);
    assert.match(problemOf(change(index) === null ? null : index), words);
  });
}

test('a chunk that arrives damaged is an error, and one that is stored damaged is fetched again', async () => {
  const index = await made(2);
  const store = new Memory();
  const { counts, get } = server(index);
  const source = await RecordingPackage.open(url, store, get);
  const damaged = bytes(1).slice();
  new Uint8Array(damaged)[5] ^= 1;
  await store.write('1.bin', damaged);
  assert.equal(await digest(await source.chunk(1)), index.chunks[1].sha256);
  assert.equal(counts.get('1.bin'), 1);
  const liar = new RecordingPackage(url, index, null, async () => ({ ok: true, arrayBuffer: async () => damaged }));
  await assert.rejects(liar.chunk(1), /arrived damaged/);
  const missing = new RecordingPackage(url, index, null, async () => ({ ok: false, status: 404 }));
  await assert.rejects(missing.chunk(0), /Second 0 .* 404/);
});

test('a download that stops twenty times fetches no chunk twice, and one flipped byte costs one chunk', async () => {
  const index = await made(40);
  const store = new Memory();
  const { counts, get } = server(index);
  const source = await RecordingPackage.open(url, store, get);
  for (let stop = 0; stop < 20; stop += 1) {
    const download = new PackageDownload(source, () => {
      if (download.fetched > 1500) download.pause();
    });
    assert.equal(await download.run(), false);
  }
  assert.equal(await new PackageDownload(source, () => {}).run(), true);
  const flipped = store.files.get('17.bin').slice();
  new Uint8Array(flipped)[9] ^= 64;
  await store.write('17.bin', flipped);
  const last = new PackageDownload(source, () => {});
  assert.equal(await last.run(), true);
  assert.equal(last.fetched, index.chunks[17].bytes);
  for (const [number, chunk] of index.chunks.entries()) {
    assert.equal(await digest(store.files.get(chunk.file)), chunk.sha256);
    assert.ok(counts.get(chunk.file) <= (number === 17 ? 2 : 1), chunk.file);
  }
});

test('a download says what happened when the network is gone for good', async () => {
  const index = await made(3);
  const { get } = server(index, (number) => number === 1);
  const source = await RecordingPackage.open(url, new Memory(), get);
  const said = [];
  assert.equal(await new PackageDownload(source, (state) => said.push(state)).run(), false);
  assert.match(said.at(-1).problem, /network is gone/);
  assert.equal(said.at(-1).isRunning, false);
});

test('without a network the stored index opens the recording', async () => {
  const index = await made(2);
  const store = new Memory();
  await store.write('index.json', new TextEncoder().encode(JSON.stringify(index)));
  const gone = async () => { throw new TypeError('no network'); };
  assert.equal((await RecordingPackage.open(url, store, gone)).index.title, 'Hall');
  await assert.rejects(RecordingPackage.open(url, new Memory(), gone), /No recording at .*no network/);
});

test('a pause ends when nothing is being written any more, so that the package can be deleted', async () => {
  const index = await made(6);
  const { get } = server(index);
  const store = new Memory();
  let release;
  const write = store.write.bind(store);
  store.write = async (file, bytes) => {
    if (file === index.chunks[2].file) await new Promise((done) => { release = done; });
    await write(file, bytes);
  };
  const source = await RecordingPackage.open(url, store, get);
  const download = new PackageDownload(source, () => {});
  const running = download.run();
  while (!release) await new Promise((done) => setImmediate(done));
  let isPaused = false;
  const paused = download.pause().then(() => { isPaused = true; });
  await new Promise((done) => setImmediate(done));
  assert.equal(isPaused, false);
  release();
  await paused;
  assert.equal(await running, false);
  const { size } = store.files;
  await new Promise((done) => setImmediate(done));
  assert.equal(store.files.size, size);
});

test('a full store ends a download at once, and says how much is missing and what to do', async () => {
  const index = await made(4);
  const { counts, get } = server(index);
  const store = new Memory();
  const write = store.write.bind(store);
  store.write = async (file, data) => {
    if (file === index.chunks[2].file) throw Object.assign(new Error('quota'), { name: 'QuotaExceededError' });
    await write(file, data);
  };
  store.free = async () => 300;
  const source = await RecordingPackage.open(url, store, get);
  const said = [];
  assert.equal(await new PackageDownload(source, (state) => said.push(state)).run(), false);
  assert.equal(counts.get('2.bin'), 1, 'a chunk that cannot be written is not fetched again');
  assert.match(said.at(-1).problem, /storage is full: 0\.0 MB .* Delete stored recordings/);
  // Another error of the store is told as it is.
  store.write = async () => { throw new Error('The disk is gone.'); };
  store.files.clear();
  assert.equal(await new PackageDownload(source, (state) => said.push(state)).run(), false);
  assert.equal(said.at(-1).problem, 'The disk is gone.');
});
