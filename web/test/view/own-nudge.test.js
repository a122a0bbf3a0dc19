import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OwnNudge } from '../../js/view/own-nudge.js';

const storageWith = (kept = null) => ({ kept, getItem() { return this.kept; }, setItem(_, value) { this.kept = value; } });

test('the own offset of the picture is kept for the next time', () => {
  const storage = storageWith();
  const nudge = new OwnNudge(storage);
  for (const step of [10, 10, -50]) nudge.add(step);
  assert.equal(new OwnNudge(storage).milliseconds, -30);
});

test('what is no offset counts as none, without a memory it holds for this time', () => {
  for (const kept of ['many', 'NaN', 'Infinity']) assert.equal(new OwnNudge(storageWith(kept)).milliseconds, 0);
  const nudge = new OwnNudge({ getItem() { throw new Error('no'); }, setItem() { throw new Error('no'); } });
  nudge.add(1e9);
  assert.equal(nudge.milliseconds, 10_000);
});
