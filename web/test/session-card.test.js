import assert from 'node:assert/strict';
import { test } from 'node:test';
import { genericNodes, hasDisplay } from '../js/control-kind.js';
import { scenesOf } from '../js/scenes-card.js';
import { isTyping, namesIn, sessionOf, undoKey } from '../js/session-card.js';
import { readDifference, summary } from '../js/session-dialog.js';
import { readTree } from '../js/tree.js';
import { freshTree } from './fixture.js';

test('the session and the scenes are found by their roles, and everything of them has a place', () => {
  const root = readTree(freshTree());
  const [session, scenes] = [sessionOf(root), scenesOf(root)];
  for (const [part, node] of [...Object.entries(session), ...Object.entries(scenes)]) assert.ok(node, `${part} was not found`);
  const rest = genericNodes(session.container);
  assert.ok(rest.length > 0 && rest.every((node) => !hasDisplay(node)));
  assert.ok(!rest.includes(session.load) && !rest.includes(session.undo));
  assert.equal(sessionOf(readTree({ FULL_PATH: '/', CONTENTS: {} })), null);
  assert.equal(scenesOf(readTree({ FULL_PATH: '/', CONTENTS: {} })), null);
});

test('keys lead back and forth', () => {
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

test('what is typed keeps its own way back, sliders and buttons do not', () => {
  const input = (type) => ({ tagName: 'INPUT', type });
  assert.ok(isTyping(input('text')) && isTyping(input('number')) && isTyping({ tagName: 'TEXTAREA' }));
  assert.ok(!isTyping(input('range')) && !isTyping(input('radio')) && !isTyping({ tagName: 'BUTTON' }) && !isTyping(null));
});

test('a difference names what was asked for, and what is wrong', () => {
  assert.deepEqual(readDifference('evening\nGain, listener 1: 0 dB to -3 dB\nMute, listener 1: on to off'), {
    name: 'evening', problem: null, lines: ['Gain, listener 1: 0 dB to -3 dB', 'Mute, listener 1: on to off'],
  });
  assert.deepEqual(readDifference('evening'), { name: 'evening', problem: null, lines: [] });
  assert.deepEqual(readDifference('bad\n!session bad: damaged'), { name: 'bad', problem: 'session bad: damaged', lines: [] });
  assert.deepEqual(readDifference(undefined), { name: '', problem: null, lines: [] });
  assert.deepEqual([0, 1, 2].map(summary), ['Nothing would change.', 'One thing would change:', '2 things would change:']);
  assert.deepEqual(namesIn('b\na'), ['b', 'a']);
  assert.deepEqual(namesIn(''), []);
});
