import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionKinds, actionWords, formatCue, inOrder, nextNumber, parseCue, timingWords } from '../../js/cue-list/cue.js';

test('cues are read from the engine’s text and written alike', () => {
  for (const text of [
    '1 play', '1.5 "Doors" pause', '2 stop', '2 stop sounds', '2 stop sounds fade 5', '2 stop all',
    '3 at 07:05:00 wait 0.25 follow scene Dark fade 30',
    '3 scene "Two words"', '4 at position 61.5 object 2 sound rain', '4 object 12 stop',
    '5 continue 0 recording "part two.wav"', '5.5 recording late.wav fade 2.5',
    '6 "A \\"quoted\\" \\\\ name" seek 12.5', '7 cue 1.5', '8 sound beep',
    '9 osc lights.local:8000 /a/* 1 0.5 true "wo rd" "\\"" "5"', '9 osc [::1]:9001 /go',
  ]) assert.equal(formatCue(parseCue(text)), text);
  assert.equal(parseCue(''), null);
  assert.equal(parseCue(undefined), null);
});

test('the parts of a cue', () => {
  assert.deepEqual(parseCue('1.5 "Night fall" at 18:00:00 wait 2 continue 3 scene "Dark room" fade 5'), {
    number: '1.5', name: 'Night fall', trigger: { kind: 'time', value: '18:00:00' }, wait: '2',
    follow: { kind: 'continue', value: '3' }, action: { kind: 'scene', name: 'Dark room', fade: '5' },
  });
  assert.deepEqual(parseCue('1 osc h:1 /a "b c" 2').action, { kind: 'osc', destination: 'h:1', address: '/a', arguments: '"b c" 2' });
  // A name that looks like an option.
  assert.equal(parseCue('1 "wait" play').name, 'wait');
});

test('every action has a title, and its fields are those that are read', () => {
  const texts = {
    scene: 'scene a', sound: 'sound a', 'stop sounds': 'stop sounds', 'object sound': 'object 1 sound a', 'object stop': 'object 1 stop',
    recording: 'recording a', play: 'play', pause: 'pause', stop: 'stop', seek: 'seek 1', osc: 'osc h:1 /a', cue: 'cue 1',
    'stop all': 'stop all',
  };
  assert.deepEqual(Object.keys(texts), Object.keys(actionKinds));
  for (const [kind, text] of Object.entries(texts)) {
    const { action } = parseCue(`1 ${text}`);
    assert.deepEqual(Object.keys(action), ['kind', ...actionKinds[kind].fields]);
    assert.equal(action.kind, kind);
  }
});

test('cues in words', () => {
  const words = (text) => actionWords(parseCue(text).action);
  assert.equal(words('1 scene Dark fade 5'), 'Scene Dark, fade 5 s');
  assert.equal(words('1 scene Dark'), 'Scene Dark');
  assert.equal(words('1 recording a.wav fade 2'), 'Recording a.wav, fade 2 s');
  assert.equal(words('1 osc h:1 /a 1 2'), 'OSC /a 1 2 to h:1');
  assert.equal(words('1 stop all'), 'Stop all');
  assert.equal(timingWords(parseCue('1 play')), '');
  assert.equal(timingWords(parseCue('1 at position 3 wait 2 follow play')), 'at position 3 s, pre-wait 2 s, auto-follow');
  assert.equal(timingWords(parseCue('1 at 08:00:00 continue 1.5 play')), 'at 08:00:00, auto-continue after 1.5 s');
});

test('the order of cues, and the number of a new one', () => {
  const cues = ['10 play', '', '2 play', '1.5 play'].map((text, place) => [place, parseCue(text)]);
  assert.deepEqual(inOrder(cues).map(([, { number }]) => number), ['1.5', '2', '10']);
  assert.equal(nextNumber([]), '1');
  assert.equal(nextNumber([{ number: '2.5' }, { number: '1' }]), '3');
  assert.equal(nextNumber([{ number: '9999.5' }]), '9999.99');
});
