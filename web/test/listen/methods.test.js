import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { methodTitle, offered } from '../../js/listen/offered-methods.js';
import { ModeChoice } from '../../js/listen/players/mode-choice.js';
import { allMethods } from '../../renderer/methods.js';
import { methods } from '../../renderer/renderer.js';

const names = allMethods.map(({ name }) => name);

test('every method has a name for listeners', () => {
  for (const { name, title } of allMethods) {
    assert.match(title, /^[A-Z]/, name);
    assert.equal(methodTitle(name), title);
  }
  assert.equal(new Set(allMethods.map(({ title }) => title)).size, names.length);
  assert.equal(methodTitle('newer'), 'newer');
});

test('listeners are offered the most exact method first, and methods that need an HRTF last', () => {
  const all = offered([...names, 'newer']);
  assert.deepEqual([...all].sort(), [...names, 'newer'].sort());
  assert.equal(all[0], 'ring-spectral');
  assert.deepEqual(all.slice(-2), ['hrtf', 'newer']);
  assert.deepEqual(offered(['nearest', 'ring']), ['ring', 'nearest']);
});

test('a browser offers and renders exactly the methods that need no HRTF', () => {
  assert.deepEqual(methods, allMethods.filter(({ needsHRTF }) => !needsHRTF).map(({ name }) => name));
  for (const { name, needsHRTF } of allMethods) {
    const choice = new ModeChoice(null);
    choice.set({ method: name });
    assert.equal(choice.mode, needsHRTF ? 'server' : 'client', name);
  }
});

test('no other file compares the name of a method that needs an HRTF', async () => {
  const folder = new URL('../../js/', import.meta.url);
  const own = allMethods.filter(({ needsHRTF }) => needsHRTF).map(({ name }) => new RegExp(`[!=]== '${name}'`));
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const text = await readFile(new URL(file, folder), 'utf8');
    for (const name of own) assert.ok(!name.test(text), `${file} compares with ${name}`);
  }
});
