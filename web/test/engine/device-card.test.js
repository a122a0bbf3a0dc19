import assert from 'node:assert/strict';
import test from 'node:test';
import { delayWords, lossWords, offers, stateWords } from '../../js/engine/device-card.js';

test('devices are listed with what is known of them', () => {
  assert.deepEqual(offers('timer\tNo sound card\t\t\njack\tJACK server\t4\t48000\nalsa:hw:0\t\t\t'), [
    { name: 'timer', words: 'timer – No sound card' },
    { name: 'jack', words: 'jack – JACK server, 4 channels, 48000 Hz' },
    { name: 'alsa:hw:0', words: 'alsa:hw:0' },
  ]);
  assert.deepEqual(offers(''), []);
  assert.deepEqual(offers(undefined), []);
});

test('the state is a sentence', () => {
  assert.equal(stateWords('jack', 'playing'), 'Plays on jack.');
  assert.match(stateWords('jack', 'lost'), /^jack was lost\. The engine continues without it/);
  assert.match(stateWords('jack', 'changing'), /until the selected device is open/);
});

test('losses are told in seconds', () => {
  assert.equal(lossWords(0, 0, 48000), '');
  assert.equal(lossWords(1, 72000, 48000), 'Lost once since the start: 1.5 s of sound were not played.');
  assert.equal(lossWords(2, 4410, 44100), 'Lost 2 times since the start: 0.1 s of sound were not played.');
});

test('the output delay tells where it is known from', () => {
  assert.equal(delayWords(0, 0, 0, 'exact'), '');
  assert.match(delayWords(24.04, 3.2, 0, 'reported'),
    /24\.0 ms after the start of its rendering, as its driver reports \(give or take 3\.2 ms/);
  assert.match(delayWords(24, 3.2, 2, 'reported'), /2 implausible times were left out\.$/);
  assert.equal(delayWords(15, 3.2, 0, 'calibrated'),
    'Sound leaves the device 15.0 ms after the start of its rendering, as measured externally.');
});
