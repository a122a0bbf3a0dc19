import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepOwnListener, ownListener, soundPath } from '../../js/playback/own-listener.js';

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
