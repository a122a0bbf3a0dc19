import assert from 'node:assert/strict';
import test from 'node:test';
import { cellWords, earOn, holderOf, pairOf, pairText, playedWords, pressed, shownChannels } from '../../js/engine/routing.js';

const titles = ['Listener 1', 'Listener 2, Anna', 'Listener 3'];
const pairs = [[1, 2], [6, 3], null];
const press = (listener, channel, ear = 'both', count = 8, from = pairs) => pressed(from, count, titles, listener, channel, ear);

test('pairs are read and written', () => {
  assert.deepEqual(pairOf('3,4'), [3, 4]);
  assert.equal(pairOf(''), null);
  assert.equal(pairOf(undefined), null);
  assert.equal(pairOf('3,x'), null);
  assert.equal(pairText([10, 9]), '10,9');
  assert.equal(pairText(null), '');
});

test('a cell plays both ears on the usual pair', () => {
  assert.deepEqual(press(2, 7), { pair: [7, 8] });
  assert.deepEqual(press(2, 8), { pair: [7, 8] });
  assert.deepEqual(press(0, 8), { pair: [7, 8] });
  assert.deepEqual(press(2, 7, 'both', 7), { refusal: 'Channel 6 is taken: Listener 2, Anna is played on 6 and 3. Free it there first.' });
  assert.deepEqual(press(0, 5, 'both', 5, [null, null, null]), { pair: [4, 5] });
  assert.match(press(0, 1, 'both', 1, [null, null, null]).refusal, /one channel/);
});

test('a second press frees the channels', () => {
  assert.deepEqual(press(0, 2), { pair: null });
  assert.deepEqual(press(1, 6), { pair: null });
});

test('a taken cell is refused with the reason', () => {
  assert.equal(press(2, 1).refusal, 'Channel 1 is taken: Listener 1 is played on 1 and 2. Free it there first.');
  // Its neighbour is taken.
  assert.match(press(2, 4).refusal, /^Channel 3 is taken: Listener 2, Anna/);
  assert.match(press(0, 3, 'left').refusal, /^Channel 3 is taken/);
});

test('single ears are set, exchanged and take a free neighbour along', () => {
  assert.deepEqual(press(0, 5, 'right'), { pair: [1, 5] });
  assert.deepEqual(press(0, 2, 'left'), { pair: [2, 1] });
  assert.deepEqual(press(2, 7, 'left'), { pair: [7, 8] });
  assert.deepEqual(press(2, 8, 'left'), { pair: [8, 7] });
  assert.deepEqual(press(2, 5, 'right'), { pair: [4, 5] });
  assert.match(press(0, 1, 'left').refusal, /already/);
  assert.match(press(2, 4, 'left', 8, [[5, 6], [3, 2], null]).refusal, /Both channels beside 4 are taken/);
});

test('cells and listeners have words', () => {
  assert.equal(cellWords(pairs, titles, 1, 6), 'Listener 2, Anna, channel 6, left ear');
  assert.equal(cellWords(pairs, titles, 0, 6), 'Listener 1, channel 6, taken by Listener 2, Anna');
  assert.equal(cellWords(pairs, titles, 0, 7), 'Listener 1, channel 7, free');
  assert.equal(earOn(pairs[1], 3), 'right');
  assert.equal(holderOf(pairs, 3), 1);
  assert.equal(playedWords('Listener 3', null, 8), 'Listener 3 is not played on the device.');
  assert.equal(playedWords('Listener 1', [1, 2], 8), 'Listener 1 is played on channels 1 (left) and 2 (right).');
  assert.match(playedWords('Listener 2', [6, 3], 4), /but the device has 4: 6 is not heard/);
});

test('a device with many channels shows those that are used', () => {
  assert.equal(shownChannels(8, pairs), 8);
  assert.equal(shownChannels(128, pairs), 16);
  assert.equal(shownChannels(128, [[31, 32]]), 32);
  assert.equal(shownChannels(128, pairs, { all: true }), 128);
});
