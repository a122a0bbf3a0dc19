import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containerTitle, listenersOf, readTree, sameShape } from '../../../js/shared/tree/tree.js';
import { freshTree, treeWithMicrophones } from '../../fixture.js';

test('a fresh server has one listener with everything that belongs to it', () => {
  const [listener, ...others] = listenersOf(readTree(freshTree()));
  assert.equal(others.length, 0);
  assert.equal(listener.title, 'Listener 1');
  assert.equal(listener.name, '1');
  assert.equal(listener.pose.type, 'fff');
  for (const part of ['front', 'recenter', 'earAzimuth', 'earPeak', 'earRms', 'earReduction', 'lowWeight', 'highWeight']) {
    assert.ok(listener[part], `${part} was not found`);
  }
});

test('every role that the contract names is found in the tree', () => {
  const root = readTree(freshTree());
  for (const role of ['play', 'pause', 'stop', 'seek', 'loop', 'state', 'position', 'duration', 'recording', 'radius',
    'microphone.azimuth', 'microphone.peak', 'microphone.rms', 'load', 'count', 'rate', 'period',
    'latency', 'notice', 'tracker.source', 'tracker.state', 'tracker.recenter', 'tracker.guide']) {
    assert.ok(root.find(role), `${role} was not found`);
  }
  assert.equal(root.find('no.such.role'), null);
  assert.deepEqual(root.findAll('load').map((node) => node.title), ['Load', 'Worst block']);
});

/** Renames every address of the tree, so that nothing can be found by address. */
function renamed(json, path = '') {
  const contents = Object.entries(json.CONTENTS ?? {}).map(([name, child], index) => {
    const other = /^\d+$/.test(name) ? name : `x${index}`;
    return [other, renamed(child, `${path}/${other}`)];
  });
  return { ...json, FULL_PATH: path || '/', ...(json.CONTENTS && { CONTENTS: Object.fromEntries(contents) }) };
}

test('roles are found at any address', () => {
  const [listener] = listenersOf(readTree(renamed(freshTree())));
  assert.ok(listener.pose && listener.earPeak && listener.lowWeight && listener.front);
  assert.ok(!listener.pose.path.includes('ypr'));
});

test('a second listener has displays of its own', () => {
  const json = freshTree();
  const second = (container) => {
    const { CONTENTS: contents, FULL_PATH: path } = container;
    contents['2'] = JSON.parse(JSON.stringify(contents['1']).replaceAll(`${path}/1`, `${path}/2`));
  };
  second(json.CONTENTS.listener);
  second(json.CONTENTS.meter.CONTENTS.listener);
  const listeners = listenersOf(readTree(json));
  assert.deepEqual(listeners.map(({ earPeak }) => earPeak.parent.name), ['1', '2']);
  assert.deepEqual(listeners.map(({ title }) => title), ['Listener 1', 'Listener 2']);
});

test('a description is split into title and help', () => {
  const root = readTree(freshTree());
  const worst = root.findAll('load')[1];
  assert.equal(worst.title, 'Worst block');
  assert.equal(worst.help, 'Largest share of a period since the last report.');
  assert.equal(containerTitle(worst.parent), 'Engine');
});

test('another range changes the shape of the tree, another number of microphones does not', () => {
  const empty = readTree(freshTree());
  const sixteen = readTree(treeWithMicrophones(16));
  assert.equal(sixteen.find('weight.low').initial.length, 32);
  assert.deepEqual(sixteen.find('microphone.azimuth').initial.slice(0, 3), [0, -22.5, -45]);
  assert.ok(sameShape(empty, sixteen));
  const other = freshTree();
  other.CONTENTS.listener.CONTENTS['1'].CONTENTS.gain.RANGE = [{ MIN: -80, MAX: 12 }];
  assert.ok(!sameShape(empty, readTree(other)));
  assert.ok(!sameShape(null, empty));
});
