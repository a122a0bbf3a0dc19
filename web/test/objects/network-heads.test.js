import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetworkHeads } from '../../js/objects/network-heads.js';

const row = (number, more = {}) => ({ number, name: '', pose: [30, 0, 0], front: 10, place: [number, 0, 0], isWired: false, ...more });

test('heads on the network are those of all pages, without the ones that are drawn already', () => {
  let changes = 0;
  const heads = new NetworkHeads({ clearTimer() {} }, (number) => number === '3', () => { changes += 1; });
  const rows = Array.from({ length: 450 }, (_, index) => row(index + 1, { isWired: index < 2 }));
  for (const from of [0, 200, 400]) {
    assert.equal(heads.pages.place.from, from);
    assert.equal(changes, 0);
    heads.take({ listeners: rows.slice(from, from + 200), from, matching: 450 });
  }
  assert.equal(changes, 1);
  assert.equal(heads.pages.place.from, 0);
  assert.deepEqual(heads.all.map(({ number }) => number), rows.slice(3).map(({ number }) => number));
  assert.deepEqual(heads.all[0], { number: 4, name: '', heading: 20, place: [4, 0, 0] });
});

test('listeners that have gone are not drawn any more', () => {
  const heads = new NetworkHeads({ clearTimer() {} }, () => false, () => {});
  heads.take({ listeners: [row(1), row(2)], from: 0, matching: 2 });
  heads.take({ listeners: [row(2)], from: 0, matching: 1 });
  assert.deepEqual(heads.all.map(({ number }) => number), [2]);
  heads.take({ listeners: [], from: 0, matching: 0 });
  assert.deepEqual(heads.all, []);
});
