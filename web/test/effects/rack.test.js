import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandDecibels, compressedDecibels, responseDecibels } from '../../js/effects/curves.js';
import { grouped, readPresets, stepped } from '../../js/effects/preset-browser.js';
import { heardRack, racksOf } from '../../js/effects/rack.js';
import { dropKind } from '../../js/effects/rack-drag.js';
import { edgeStep } from '../../js/shared/controls/edge-step.js';
import {
  before, behind, beside, besideNeighbour, earlier, find, formatLayout, later, parseLayout, slotsOf, without,
} from '../../js/effects/rack-layout.js';
import { readTree, sameShape } from '../../js/shared/tree/tree.js';
import { Values } from '../../js/shared/tree/values.js';
import { freshTree } from '../fixture.js';

const after = (text, change, ...rest) => formatLayout(change(parseLayout(text), ...rest));

test('a layout is read and written', () => {
  for (const text of ['', '1', '1 (2 3 | 4) 5', '(1 | ) 2']) assert.equal(after(text, (places) => places), text);
  assert.deepEqual(slotsOf(parseLayout('3 (1 | 2)')), [3, 1, 2]);
  assert.deepEqual(find(parseLayout('3 (1 | 2)'), 2), { place: 1, row: 1, column: 0 });
  assert.equal(find(parseLayout('3'), 2), null);
});

test('slots are moved, put in parallel and removed', () => {
  assert.equal(after('1 2 3', before, 3, 1), '3 1 2');
  assert.equal(after('1 2 3', behind, 1, 3), '2 3 1');
  assert.equal(after('1 2 3', beside, 3, 1), '(1 | 3) 2');
  assert.equal(after('(1 | 3) 2', beside, 2, 1), '(1 | 2 | 3)');
  assert.equal(after('(1 | 3) 2', before, 2, 3), '(1 | 2 3)');
  assert.equal(after('(1 | 3) 2', behind, 3, 2), '1 2 3');
  assert.equal(after('(1 | 2 3)', without, 1), '2 3');
  assert.equal(after('( | 2) 1', without, 2), '1');
  assert.equal(after('1 2', before, 1, 1), '1 2');
});

test('keyboard steps reach every position and return', () => {
  assert.equal(after('1 2 3', earlier, 1), '1 2 3');
  assert.equal(after('1 2 3', later, 1), '2 1 3');
  assert.equal(after('1 (2 3 | 4)', earlier, 3), '1 (3 2 | 4)');
  assert.equal(after('1 (2 3 | 4)', earlier, 2), '1 2 (3 | 4)');
  assert.equal(after('1 (2 3 | 4)', later, 4), '1 2 3 4');
  assert.equal(after('1 2', besideNeighbour, 2), '(1 | 2)');
  assert.equal(after('1 2', besideNeighbour, 1), '(2 | 1)');
  assert.equal(after('(1 | 2) 3', besideNeighbour, 3), '(1 | 2 | 3)');
  assert.equal(after('1', besideNeighbour, 1), '1');
});

test('no move loses or duplicates a slot', () => {
  const moves = [earlier, later, besideNeighbour, (places, slot) => before(places, slot, 1), (places, slot) => beside(places, slot, 4)];
  let places = parseLayout('1 (2 3 | 4) 5 6');
  for (let step = 0; step < 500; step += 1) {
    places = moves[(step * 7) % moves.length](places, 1 + ((step * 5) % 6));
    assert.deepEqual([...slotsOf(places)].sort(), [1, 2, 3, 4, 5, 6], `step ${step}: ${formatLayout(places)}`);
    assert.equal(formatLayout(parseLayout(formatLayout(places))), formatLayout(places));
  }
});

test('equaliser curves match the analogue prototypes', () => {
  const peak = { shape: 'peak', frequency: 1000, gain: 6, q: 1 };
  assert.ok(Math.abs(bandDecibels(peak, 1000) - 6) < 1e-9);
  assert.ok(Math.abs(bandDecibels({ ...peak, gain: -6 }, 500) + bandDecibels(peak, 500)) < 1e-9);
  assert.ok(Math.abs(bandDecibels({ shape: 'low-pass', frequency: 1000, gain: 0, q: Math.SQRT1_2 }, 1000) + 3.01) < 0.01);
  assert.ok(Math.abs(bandDecibels({ shape: 'low-shelf', frequency: 1000, gain: 9, q: 0.7 }, 5) - 9) < 0.01);
  assert.ok(Math.abs(bandDecibels({ shape: 'high-shelf', frequency: 1000, gain: 9, q: 0.7 }, 200000) - 9) < 0.01);
  assert.equal(responseDecibels([peak, { ...peak, shape: 'off' }], 1000), bandDecibels(peak, 1000));
});

test('a compressor is neutral far below its threshold and keeps its slope far above it', () => {
  const set = { threshold: -30, ratio: 4, knee: 6, makeUp: 2 };
  assert.equal(compressedDecibels(set, -50), -48);
  assert.ok(Math.abs(compressedDecibels(set, 0) - (-30 + 30 / 4 + 2)) < 1e-9);
  assert.ok(Math.abs(compressedDecibels({ ...set, knee: 0 }, -30) - -28) < 0.01);
});

/** The fresh tree with two slots in its first rack. */
function withSlots() {
  const tree = freshTree();
  const rack = tree.CONTENTS.rack.CONTENTS.recording;
  const slot = (number, effect) => ({
    FULL_PATH: `/rack/recording/slot/${number}`, DESCRIPTION: 'Slot.', CONTENTS: {
      effect: { FULL_PATH: `/rack/recording/slot/${number}/effect`, ACCESS: 3, TYPE: 's', TAGS: ['slot.effect'], VALUE: [effect] },
      [effect]: { FULL_PATH: `/rack/recording/slot/${number}/${effect}`, DESCRIPTION: 'Effect.', CONTENTS: {
        time: { FULL_PATH: `/rack/recording/slot/${number}/${effect}/time`, ACCESS: 3, TYPE: 'f', VALUE: [1] } } },
    },
  });
  rack.CONTENTS.slot = { FULL_PATH: '/rack/recording/slot', DESCRIPTION: '', CONTENTS: { 1: slot(1, 'delay'), 12: slot(12, 'reverb') } };
  return tree;
}

test('racks and their slots are found by their roles', () => {
  const racks = racksOf(readTree(withSlots()));
  assert.equal(racks.length, 3);
  const rack = racks.find((each) => each.slots.size > 0);
  assert.deepEqual([...rack.slots.keys()], [1, 12]);
  assert.equal(rack.slots.get(12).parameters.name, 'reverb');
});

test('added and removed slots do not change the shape of the tree', () => {
  assert.ok(sameShape(readTree(freshTree()), readTree(withSlots())));
});

test('with an input and no recording, the rack of the input is the one that is heard', () => {
  const root = readTree(freshTree());
  const racks = racksOf(root);
  assert.deepEqual(racks.map(({ title }) => title), ['Recording', 'Listener 1', 'Input']);
  const heard = (recording, input) => {
    const values = new Values();
    values.set('/session/recording', [recording]);
    values.set('/input/source', [input]);
    return heardRack(racks, root, values).title;
  };
  assert.equal(heard('', 'alsa:default'), 'Input');
  assert.equal(heard('scene.wav', 'alsa:default'), 'Recording');
  assert.equal(heard('', ''), 'Recording');
});

test('presets are read with their descriptions, grouped by folder, and stepped through in a circle', () => {
  const presets = readPresets('program\tdub\tDub echo\tDark echoes.\nprogram\tfuzz\t\t\nuser\tmy-rack\nuser\tLive/my-lead');
  assert.deepEqual(presets, [
    { origin: 'program', name: 'dub', folder: '', title: 'Dub echo', summary: 'Dark echoes.' },
    { origin: 'program', name: 'fuzz', folder: '', title: 'Fuzz', summary: '' },
    { origin: 'user', name: 'my-rack', folder: '', title: 'My rack', summary: '' },
    { origin: 'user', name: 'Live/my-lead', folder: 'Live', title: 'My lead', summary: '' },
  ]);
  assert.deepEqual(grouped(presets).map(([title, members]) => [title, members.length]), [['Included', 2], ['Mine', 1], ['Live', 1]]);
  assert.equal(stepped(presets, 'dub', 1).name, 'fuzz');
  assert.equal(stepped(presets, 'dub', -1).name, 'Live/my-lead');
  assert.equal(stepped(presets, '', 1).name, 'dub');
  assert.equal(stepped(presets, 'gone', -1).name, 'Live/my-lead');
  assert.equal(stepped([], 'dub', 1), null);
});

test('a finger makes a branch in a column only after a rest; a mouse at once', () => {
  const middle = { across: 0.5, down: 0.45 };
  assert.equal(dropKind(middle, true, true, false), 'before');
  assert.equal(dropKind({ across: 0.5, down: 0.55 }, true, true, false), 'behind');
  assert.equal(dropKind(middle, true, true, true), 'beside');
  assert.equal(dropKind(middle, true, false, false), 'beside');
  assert.equal(dropKind({ across: 0.2, down: 0.1 }, false, false, false), 'before');
  assert.equal(dropKind({ across: 0.8, down: 0.1 }, false, false, false), 'behind');
  assert.equal(dropKind({ across: 0.8, down: 0.9 }, false, false, false), 'beside');
});

test('a drag scrolls near the edges only', () => {
  assert.ok(edgeStep(10, 0, 700) < 0);
  assert.ok(edgeStep(690, 0, 700) > 0);
  assert.equal(edgeStep(350, 0, 700), 0);
});
