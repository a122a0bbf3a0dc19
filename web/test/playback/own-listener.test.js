import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepOwnListener, ownListener, soundPath } from '../../js/playback/own-listener.js';
import { scenePath } from '../../js/scene/scene-listening.js';
import { isMeasured, outputDelay } from '../../js/shared/sound/output-delay.js';

class FakeStorage {
  #items = new Map();

  getItem(key) {
    return this.#items.get(key) ?? null;
  }

  setItem(key, value) {
    this.#items.set(key, value);
  }
}

test('a listener of its own is asked for, and proved by its token from then on', () => {
  const storage = new FakeStorage();
  assert.equal(ownListener(storage), null);
  assert.equal(soundPath('join', storage), '/audio/join');
  assert.equal(soundPath('7', storage), '/audio/7');
  keepOwnListener({ listener: 7, token: 'abc' }, storage);
  assert.deepEqual(ownListener(storage), { name: '7', token: 'abc' });
  assert.equal(soundPath('join', storage), '/audio/join?token=abc');
  assert.equal(soundPath('7', storage), '/audio/join?token=abc');
  assert.equal(soundPath('1', storage), '/audio/1');
});

test('a page whose storage is blocked remembers its listener itself', () => {
  const blocked = { get() { throw new DOMException('Access is denied.', 'SecurityError'); }, configurable: true };
  for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(globalThis, name, blocked);
  assert.equal(soundPath('1'), '/audio/1');
  assert.equal(outputDelay(), 0);
  assert.equal(isMeasured(), false);
  keepOwnListener({ listener: 9, token: 'def' });
  assert.deepEqual(ownListener(), { name: '9', token: 'def' });
  assert.equal(soundPath('join'), '/audio/join?token=def');
  assert.equal(scenePath('9'), '/audio/scene/join?token=def');
});
