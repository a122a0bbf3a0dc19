import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../js/panel/cards.js';
import { genericNodes } from '../../js/shared/controls/control-kind.js';
import { readTree } from '../../js/shared/tree/tree.js';
import {
  exactTime, lossText, peakBetween, playableFile, roughTime, shortName, sourceText, stateText, takesOf,
} from '../../js/takes/takes.js';
import { freshTree } from '../fixture.js';

test('all nodes of takes are found by their roles, and none is left to the generic controls', () => {
  const root = readTree(freshTree());
  const nodes = takesOf(root);
  for (const [part, node] of Object.entries(nodes)) assert.ok(node, `${part} was not found`);
  for (const container of [nodes.start.parent, nodes.ears.parent]) {
    assert.deepEqual(genericNodes(container).map(({ path }) => path), []);
  }
  assert.equal(takesOf(readTree({ FULL_PATH: '/', CONTENTS: {} })), null);
});

test('names are shown without date and time', () => {
  assert.equal(shortName('2026-11-23-204500-second set'), 'second set');
  assert.equal(shortName('2026-11-23-204500'), '');
  assert.equal(shortName('mine'), 'mine');
});

test('times are as exact as they need to be', () => {
  assert.deepEqual([0, 59.4, 119, 125, 3599, 11520].map(roughTime), ['0 s', '59 s', '119 s', '2 min', '59 min', '3 h 12 min']);
  assert.deepEqual([0, 5.24, 59.96, 3605.2].map(exactTime), ['0:00.0', '0:05.2', '1:00.0', '1:00:05.2']);
});

test('sources, losses and states are told in words', () => {
  const ears = [3, 1].map((listener) => ({ source: 'ears', listener, channels: 2 }));
  assert.equal(sourceText([...ears, { name: 'take.json' }, { source: 'array', channels: 8 }, { source: 'processed-input' }]),
    'ears of listeners 1 and 3, 8 microphones, input after its rack');
  assert.equal(sourceText(ears.slice(1)), 'ears of listener 1');
  assert.equal(lossText({ lost: 0.25, gaps: [{}] }), '0.25 s lost in 1 gap');
  assert.equal(lossText({ lost: 0, gaps: [] }), '');
  assert.equal(stateText({ state: 'complete' }), '');
  assert.equal(stateText({ state: 'stopped', reason: 'the disk is full' }), 'Ended early: the disk is full.');
  assert.match(stateText({ state: 'interrupted' }), /files can be opened/);
});

test('an outline has a value for every part of it', () => {
  assert.equal(peakBetween([1, 5, 2, 3], 0, 0.5), 5);
  assert.equal(peakBetween([1, 5, 2, 3], 0.99, 1), 3);
  assert.equal(peakBetween([4], 0.5, 0.6), 4);
});

test('the ears are played, otherwise another source in stereo that browsers know', () => {
  const ears = { name: 'ears-1.flac', source: 'ears', channels: 2 };
  const [input, array] = [{ name: 'input.wav', source: 'input', channels: 2 }, { name: 'array.wav', source: 'array', channels: 8 }];
  assert.equal(playableFile([array, input, ears]), ears);
  assert.equal(playableFile([array, input]), input);
  assert.equal(playableFile([array, { name: 'ears-1.w64', source: 'ears', channels: 2 }, { name: 'take.json' }]), undefined);
});
