import assert from 'node:assert/strict';
import { test } from 'node:test';
import { genericNodes, hasDisplay } from '../../js/shared/controls/control-kind.js';
import { scenesOf } from '../../js/session/scenes-card.js';
import { copyName } from '../../js/session/session-card.js';
import { isTyping, namesIn, sessionOf, undoKey } from '../../js/session/session.js';
import { readDifference, summary } from '../../js/session/session-dialog.js';
import '../../js/panel/cards.js';
import { readTree } from '../../js/shared/tree/tree.js';
import { freshTree } from '../fixture.js';

test('session and scenes are found by their roles, and each of their nodes has a display', () => {
  const root = readTree(freshTree());
  const [session, scenes] = [sessionOf(root), scenesOf(root)];
  for (const [part, node] of [...Object.entries(session), ...Object.entries(scenes)]) assert.ok(node, `${part} was not found`);
  const rest = genericNodes(session.container);
  assert.ok(rest.length > 0 && rest.every((node) => !hasDisplay(node)));
  assert.ok(!rest.includes(session.load) && !rest.includes(session.undo));
  assert.equal(sessionOf(readTree({ FULL_PATH: '/', CONTENTS: {} })), null);
  assert.equal(scenesOf(readTree({ FULL_PATH: '/', CONTENTS: {} })), null);
});

test('keys for undo and redo', () => {
  const key = (text) => {
    const parts = text.split('+');
    return undoKey({
      key: parts.at(-1), ctrlKey: parts.includes('ctrl'), metaKey: parts.includes('meta'), altKey: parts.includes('alt'),
      shiftKey: parts.includes('shift'),
    });
  };
  assert.deepEqual(['ctrl+z', 'meta+z', 'ctrl+shift+Z', 'ctrl+y'].map(key), ['undo', 'undo', 'redo', 'redo']);
  assert.deepEqual(['z', 'alt+z', 'ctrl+alt+z', 'ctrl+x', 'ctrl+shift+Y'].map(key), [null, null, null, null, null]);
});

test('text fields undo their own typing, sliders and buttons do not', () => {
  const input = (type) => ({ tagName: 'INPUT', type });
  assert.ok(isTyping(input('text')) && isTyping(input('number')) && isTyping({ tagName: 'TEXTAREA' }));
  assert.ok(!isTyping(input('range')) && !isTyping(input('radio')) && !isTyping({ tagName: 'BUTTON' }) && !isTyping(null));
});

test('a comparison names the session, its changes or a problem', () => {
  assert.deepEqual(readDifference('evening\nGain, listener 1: 0 dB to -3 dB\nMute, listener 1: on to off'), {
    name: 'evening', problem: null, lines: ['Gain, listener 1: 0 dB to -3 dB', 'Mute, listener 1: on to off'],
  });
  assert.deepEqual(readDifference('evening'), { name: 'evening', problem: null, lines: [] });
  assert.deepEqual(readDifference('bad\n!session bad: damaged'), { name: 'bad', problem: 'session bad: damaged', lines: [] });
  assert.deepEqual(readDifference(undefined), { name: '', problem: null, lines: [] });
  assert.deepEqual([0, 1, 2].map(summary), ['No changes.', '1 change:', '2 changes:']);
  assert.deepEqual(namesIn('b\na'), ['b', 'a']);
  assert.deepEqual(namesIn(''), []);
});

test('a copy has a name that no other session has', () => {
  assert.equal(copyName('Show', ['Show']), 'Show copy');
  assert.equal(copyName('Show', ['Show', 'Show copy', 'Show copy 2']), 'Show copy 3');
});
