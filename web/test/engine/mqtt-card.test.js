import assert from 'node:assert/strict';
import test from 'node:test';
import { countWords, stateWords } from '../../js/engine/mqtt-card.js';

test('the state of the connection is a sentence', () => {
  assert.equal(stateWords('mqtt://b:1883', 'connected'), 'Connected to mqtt://b:1883.');
  assert.match(stateWords('mqtt://b:1883', 'waiting'), /^Not connected to mqtt:\/\/b:1883\. .*tries again/);
  assert.match(stateWords('', 'off'), /^No broker\. .*--mqtt/);
});

test('only faults that have happened are told', () => {
  assert.equal(countWords(12345, 1, 0, 0, 0), 'Since the start: 12,345 messages published, 1 command received.');
  assert.equal(countWords(12, 3, 2, 1, 1),
    'Since the start: 12 messages published, 3 commands received, 2 refused, 1 dropped because too many came, the broker lost once.');
});
