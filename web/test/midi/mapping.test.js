import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controllerWords, formatMapping, parseMapping } from '../../js/midi/mapping.js';

const whole = { controller: 'cc 7', channel: 0, target: '/a', input: [0, 1], output: [0, 1], curve: 0, isToggle: false };

test('a mapping is read from its text, and written as the engine writes it', () => {
  assert.equal(parseMapping(''), null);
  assert.equal(parseMapping(undefined), null);
  assert.deepEqual(parseMapping('cc 7 to /a'), whole);
  for (const text of ['cc 7 to /a', 'bend channel 16 to /a/b', 'nrpn 16382 channel 3 to /a toggle',
    'cc14 1 to /a input 0.25 0.75 output 1 0 curve -0.5 toggle']) {
    assert.equal(formatMapping(parseMapping(text)), text);
  }
  assert.equal(formatMapping({ ...whole, output: [0.1 + 0.2, 1] }), 'cc 7 to /a output 0.3 1');
});

test('controllers in words', () => {
  assert.equal(controllerWords(parseMapping('cc 7 channel 2 to /a')), 'CC 7, channel 2');
  assert.equal(controllerWords(parseMapping('cc14 1 to /a')), '14-bit CC 1, any channel');
  assert.equal(controllerWords(parseMapping('bend to /a')), 'Pitch bend, any channel');
  assert.equal(controllerWords(parseMapping('nrpn 1234 channel 2 to /a')), 'NRPN 1234, channel 2');
  assert.equal(controllerWords(parseMapping('rpn 0 to /a')), 'RPN 0, any channel');
});
