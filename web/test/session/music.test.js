import assert from 'node:assert/strict';
import { test } from 'node:test';

import { musicWords } from '../../js/session/music.js';

test('the state of the music in words', () => {
  assert.equal(musicWords('playing', 0), 'Playing');
  assert.equal(musicWords('connecting', 1), 'Connecting…, connection lost once');
  assert.equal(musicWords('buffering', 3), 'Buffering…, connection lost 3 times');
  assert.equal(musicWords(undefined, 0), 'Stopped');
});
