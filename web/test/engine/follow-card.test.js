import assert from 'node:assert/strict';
import test from 'node:test';
import { differenceWords, followWords } from '../../js/engine/follow-card.js';

test('following is a sentence', () => {
  assert.match(followWords('hall', 'waiting'), /^Waiting for hall\./);
  assert.match(followWords('hall', 'following'), /^Follows hall:/);
  assert.match(followWords('', 'off'), /--follow/);
});

test('the difference says which engine is later', () => {
  assert.equal(differenceWords(0.2, 0), '');
  assert.match(differenceWords(0.123, 1.5), /^The recording is heard 0\.12 ms later here\. .* 1\.50 ms there and back\.$/);
  assert.match(differenceWords(-0.2, 1), /0\.20 ms earlier here\./);
  assert.match(differenceWords(0, 1), /0\.00 ms apart\./);
});
