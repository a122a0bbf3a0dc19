import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefersNative } from '../../js/hls/native-player.js';

test('the own player of a browser is taken where it knows low delay, or where there is nothing else', () => {
  const [able, unable] = ['maybe', ''].map((answer) => ({ canPlayType: () => answer }));
  const apple = { vendor: 'Apple Computer, Inc.', hasSource: true };
  const other = { vendor: 'Google Inc.', hasSource: true };
  assert.equal(prefersNative(able, apple), true);
  assert.equal(prefersNative(unable, apple), false);
  assert.equal(prefersNative(able, other), false);
  assert.equal(prefersNative(able, { ...other, hasSource: false }), true);
  assert.equal(prefersNative(unable, { ...other, hasSource: false }), false);
});
