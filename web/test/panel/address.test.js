import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fragment, isKiosk, listenerIn, topicIn } from '../../js/panel/address.js';

test('the fragment names the page and the listener', () => {
  assert.deepEqual(['', '#effects', '#effects&listener=2', '#listener=2'].map(topicIn), [null, 'effects', 'effects', null]);
  assert.deepEqual(['', '#effects', '#effects&listener=2', '#listener=2'].map(listenerIn), [null, null, '2', '2']);
  assert.equal(isKiosk('#kiosk&listener=2'), true);
  assert.equal(isKiosk('#listener=2'), false);
});

test('a fragment is read as it was written', () => {
  assert.equal(fragment('effects', null), '#effects');
  for (const [topic, listener] of [['effects', '2'], ['head', 'a b&c'], [null, '3']]) {
    assert.equal(topicIn(fragment(topic, listener)), topic);
    assert.equal(listenerIn(fragment(topic, listener)), listener);
  }
});
