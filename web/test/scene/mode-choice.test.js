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
    [{ method: 'hrtf' }, 'server'], [{ method: 'ring' }, 'client'], [{ method: 'ring', racks: true }, 'server'],
    [{ method: 'ring', racks: false }, 'client'], [{ method: 'ring', hrtf: true }, 'server'], [{ method: 'ring', hrtf: false }, 'client'],
    [{ method: 'ring', place: true }, 'server'], [{ method: 'ring', place: false }, 'client'],
    [{ method: 'ring', crowded: true }, 'server'], [{ method: 'ring', crowded: false }, 'client'],
  ]) {
    choice.set(settings);
    assert.equal(choice.mode, mode);
  }
});

test('a network that does not carry the low profile leads to the engine, and another attempt comes later and later', () => {
  const choice = new ModeChoice(null);
  play(choice, 0, 60, 0.1);
  assert.equal(choice.mode, 'client');
  play(choice, 60, 60, 0.3, 'full', 6000);
  assert.equal(choice.mode, 'client', 'the low profile comes first');
  play(choice, 120, 9, 0.3, 'low', 24_000);
  assert.equal(choice.mode, 'client');
  play(choice, 130, 12, 0.3, 'low', 30_000);
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

test('a network that breaks down is left within two seconds, whatever the profile', () => {
  for (const [share, playing, most] of [[0.6, true, 1.7], [1, false, 1.2]]) {
    const choice = new ModeChoice(null);
    play(choice, 0, 20, 0, 'full');
    let now = 20;
    let missing = 0;
    while (choice.mode === 'client' && now < 30) {
      now += 0.1;
      missing += 100 * share;
      choice.note(now, { playing, concealedMilliseconds: missing, stream: { format: 'scene', profile: 'full' } });
    }
    assert.ok(now - 20 < most, `left after ${now - 20} s`);
    assert.equal(choice.isNarrow, true);
  }
});

test('short gaps, a page that stood still, and sound that has not begun are no reason to leave', () => {
  const choice = new ModeChoice(null);
  const note = (now, concealedMilliseconds, playing = true) =>
    choice.note(now, { playing, concealedMilliseconds, stream: { format: 'scene', profile: 'full' } });
  for (let now = 0; now < 8; now += 0.1) note(now, 0, false);
  for (let now = 8; now < 20; now += 0.1) note(now, 0);
  // Half a second is missing, once.
  for (let now = 20; now < 25; now += 0.1) note(now, Math.min(500, 1000 * (now - 20)));
  // The computer slept.
  note(60, 30_000, false);
  for (let now = 60.1; now < 65; now += 0.1) note(now, 30_000);
  assert.equal(choice.mode, 'client');
  assert.equal(choice.isNarrow, false);
});

test('an engine without a recording is no narrow network', () => {
  const choice = new ModeChoice(null);
  play(choice, 0, 10, 0, 'full');
  for (let now = 10; now < 20; now += 0.1) {
    choice.note(now, {
      playing: false, isEmpty: true, concealedMilliseconds: 1000 * (now - 10), stream: { format: 'scene', profile: 'low' },
    });
  }
  play(choice, 20, 10, 0, 'full', 10_000);
  assert.equal(choice.mode, 'client');
});
