import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModeChoice } from '../../js/listen/players/mode-choice.js';

/** Reports for so many seconds, of which a share is missing. */
function play(choice, from, seconds, share, profile = 'low', already = 0) {
  for (let now = from; now <= from + seconds; now += 0.1) {
    choice.note(now, {
      playing: true, concealedMilliseconds: already + 1000 * share * (now - from), stream: { format: 'scene', profile },
    });
  }
  return already + 1000 * share * seconds;
}

test('the browser renders as long as it can', () => {
  assert.equal(new ModeChoice(null).mode, 'client');
  const choice = new ModeChoice('no WebAssembly');
  assert.equal(choice.mode, 'server');
  assert.equal(choice.reason, 'no WebAssembly');
});

test('what only the engine has is rendered there, and nothing else', () => {
  const choice = new ModeChoice(null);
  for (const [settings, mode] of [
    [{ method: 'personal' }, 'server'], [{ method: 'ring' }, 'client'], [{ method: 'ring', racks: true }, 'server'],
    [{ method: 'ring', racks: false }, 'client'],
  ]) {
    choice.set(settings);
    assert.equal(choice.mode, mode);
  }
});

test('a network that does not carry the low profile leads to the engine, and another attempt comes later and later', () => {
  const choice = new ModeChoice(null);
  play(choice, 0, 60, 0.1);
  assert.equal(choice.mode, 'client');
  play(choice, 60, 60, 0.9, 'full', 6000);
  assert.equal(choice.mode, 'client', 'the low profile comes first');
  play(choice, 120, 9, 0.9, 'low', 60_000);
  assert.equal(choice.mode, 'client');
  play(choice, 130, 12, 0.9, 'low', 70_000);
  assert.equal(choice.mode, 'server');
  const calm = (now) => choice.note(now, { playing: true, concealedMilliseconds: 0, stream: { format: 'opus' } });
  calm(180);
  assert.equal(choice.mode, 'server');
  calm(220);
  assert.equal(choice.mode, 'client');
  play(choice, 221, 12, 0.9);
  assert.equal(choice.mode, 'server');
  calm(330);
  assert.equal(choice.mode, 'server', 'the second attempt comes later');
  calm(360);
  assert.equal(choice.mode, 'client');
});
