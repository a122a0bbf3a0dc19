import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latencyText, levelText, listenerTitle, placeText, poseText, rangeText, rateText } from '../../js/listeners/listener-words.js';

test('a listener has its number, and its name if it has one', () => {
  assert.equal(listenerTitle({ number: 5, name: '' }), 'Listener 5');
  assert.equal(listenerTitle({ number: 5, name: 'Anna' }), 'Listener 5, Anna');
});

test('the place where a listener is heard', () => {
  assert.equal(placeText({ isWired: true, channels: '3,4' }), 'device channels 3, 4');
  assert.equal(placeText({ isWired: true }), 'no device channels');
  assert.equal(placeText({ isWired: false, clients: 1 }), '1 client');
  assert.equal(placeText({ isWired: false, clients: 2 }), '2 clients');
  assert.equal(placeText({ isWired: false, clients: 0, seconds: 41.2 }), 'kept for 42 s');
  assert.equal(placeText({ isWired: false, clients: 0 }), 'added, no client');
});

test('numbers of a row', () => {
  assert.equal(poseText([40.2, -10.6, -0.1]), '40°  −11°  0°');
  assert.equal(levelText([0.1, 0]), '−20.0 and −∞ dB');
  assert.equal(latencyText(3.27), '3.3 ms');
  assert.equal(latencyText(undefined), '–');
  assert.equal(rateText(0), '–');
  assert.equal(rateText(5.64), '5.6');
  assert.equal(rateText(59.9), '60');
});

test('the rows of a page among all', () => {
  const listeners = [{}, {}, {}];
  assert.equal(rangeText({ from: 0, matching: 3, total: 3, listeners }), '1 to 3 of 3');
  assert.equal(rangeText({ from: 10, matching: 13, total: 256, listeners }), '11 to 13 of 13 found, 256 in all');
  assert.equal(rangeText({ from: 0, matching: 0, total: 256, listeners: [] }), '');
});
