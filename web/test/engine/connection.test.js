import assert from 'node:assert/strict';
import test from 'node:test';
import { stateWords } from '../../js/engine/connection.js';
import { sentWords } from '../../js/engine/icecast-card.js';

test('the state of a connection is a sentence', () => {
  assert.equal(stateWords('mqtt://b:1883', 'connected', ''), 'Connected to mqtt://b:1883.');
  assert.match(stateWords('mqtt://b:1883', 'waiting', ''), /^Not connected to mqtt:\/\/b:1883\. .*tries again/);
  assert.equal(stateWords('', 'off', 'No broker.'), 'No broker.');
});

test('the sound that was sent is told, and faults that have happened', () => {
  assert.equal(sentWords(1, 1, 0, 0), 'Since the start: 1 second of sound of listener 1 sent.');
  assert.equal(sentWords(3, 7265, 2, 1250),
    'Since the start: 121 minutes of sound of listener 3 sent, the server lost 2 times, 1.3 s lost because the machine was too busy.');
});
