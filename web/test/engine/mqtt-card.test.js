import assert from 'node:assert/strict';
import test from 'node:test';
import { countWords } from '../../js/engine/mqtt-card.js';

test('only faults that have happened are told', () => {
  assert.equal(countWords(12345, 1, 0, 0, 0), 'Since the start: 12,345 messages published, 1 command received.');
  assert.equal(countWords(12, 3, 2, 1, 1),
    'Since the start: 12 messages published, 3 commands received, 2 refused, 1 dropped because there were too many, the broker lost once.');
});
