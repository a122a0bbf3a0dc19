import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PackageStore } from '../../js/listen/packages/package-store.js';

const index = {
  format: 'vestibule-recording', version: 1, title: 'Hall', rate: 48000, frames: 40_000, chunkFrames: 48000, coding: 'flac', groups: [1],
  array: { azimuths: [0], radius: 0.0875, count: 1 }, chunks: [{ file: '0.bin', bytes: 4, parts: [4], sha256: '0'.repeat(64) }],
};

/** An origin private file system with a folder of packages: `{ name: { file: text } }`. */
function storage(packages) {
  const file = (text) => ({
    kind: 'file', getFile: async () => ({ size: text.length, arrayBuffer: async () => new TextEncoder().encode(text).buffer }),
  });
  const folder = (entries) => ({
    kind: 'directory', entries: async function* entriesOf() { yield* Object.entries(entries); },
    getDirectoryHandle: async (name) => entries[name] ?? Promise.reject(new Error('NotFound')),
    getFileHandle: async (name) => entries[name] ?? Promise.reject(new Error('NotFound')),
  });
  const all = Object.fromEntries(Object.entries(packages).map(([name, files]) => [
    encodeURIComponent(name), folder(Object.fromEntries(Object.entries(files).map(([each, text]) => [each, file(text)])))]));
  return { getDirectory: async () => folder({ recordings: folder(all) }) };
}

test('stored packages are listed, and those with an index that is damaged are left out', async () => {
  const kept = storage({
    'http://host/hall/': { 'index.json': JSON.stringify(index), '0.bin': 'abcd' },
    'http://host/old/': { 'index.json': JSON.stringify({ ...index, chunks: undefined }) },
    'http://host/text/': { 'index.json': 'not JSON' }, 'http://host/empty/': {},
  });
  assert.deepEqual(await PackageStore.list(kept), [{ url: 'http://host/hall/', title: 'Hall', bytes: 4, isComplete: true }]);
  assert.equal((await PackageStore.open('http://host/hall/', kept)).url, 'http://host/hall/');
});

test('a browser that refuses to store files, or cannot, has no packages and no store', async () => {
  const refused = { getDirectory: async () => { throw new DOMException('The operation is insecure.', 'SecurityError'); } };
  for (const none of [refused, {}, undefined]) {
    assert.deepEqual(await PackageStore.list(none), []);
    assert.equal(await PackageStore.open('http://host/hall/', none), null);
  }
});
