import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListenerScope } from '../../../js/shared/tree/listener-scope.js';
import { listenersOf, readTree } from '../../../js/shared/tree/tree.js';
import { freshTree } from '../../fixture.js';

/** The listener of a fresh tree under another number, below one of the containers of listeners. */
function branch(path) {
  const number = path.split('/').pop();
  const family = path.slice(0, -number.length - 1);
  const node = family.slice(1).split('/').reduce((each, name) => each.CONTENTS[name], freshTree()).CONTENTS[1];
  return JSON.parse(JSON.stringify(node).replaceAll(`${family}/1`, path));
}

const families = ['/listener', '/rack/listener', '/meter/listener', '/latency/listener'];

/** A tree with network listeners beside the wired one. */
function busyTree(...numbers) {
  const tree = freshTree();
  tree.CONTENTS.listener.CONTENTS.wired.VALUE = [1];
  for (const family of families) {
    const node = family.slice(1).split('/').reduce((each, name) => each.CONTENTS[name], tree);
    for (const number of numbers) node.CONTENTS[number] = branch(`${family}/${number}`);
  }
  return tree;
}

const names = (json) => listenersOf(readTree(json)).map(({ name }) => name);
const nothing = () => assert.fail('nothing is missing');

test('other network listeners are left out of the tree', async () => {
  assert.deepEqual(names(await new ListenerScope().complete(busyTree(2, 3, 10), nothing)), ['1']);
  const json = await new ListenerScope('3').complete(busyTree(2, 3, 10), nothing);
  assert.deepEqual(names(json), ['1', '3']);
  const [, third] = listenersOf(readTree(json));
  assert.equal(third.earPeak.path, '/meter/listener/3/peak');
  assert.doesNotMatch(JSON.stringify(json), /listener\/(2|10)\//);
});

test('a chosen listener that the engine does not list is read by itself', async () => {
  const asked = [];
  const json = await new ListenerScope('200').complete(busyTree(2), async (path) => {
    asked.push(path);
    return branch(path);
  });
  assert.deepEqual(asked.sort(), families.map((family) => `${family}/200`).sort());
  assert.deepEqual(names(json), ['1', '200']);
  assert.deepEqual(names(await new ListenerScope('201').complete(busyTree(2), async () => null)), ['1'], 'it has gone');
});

test('everything is listened to, but no other network listener', async () => {
  const scope = new ListenerScope('3');
  const json = await scope.complete(busyTree(2, 3), nothing);
  const paths = scope.interests(json);
  const heard = (path) => paths.some((each) => path === each || path.startsWith(`${each}/`));
  for (const node of readTree(json).all()) {
    if (!node.isContainer && node.isReadable) assert.ok(heard(node.path), node.path);
  }
  for (const family of families) assert.ok(!heard(`${family}/2`));
  assert.ok(!paths.includes('/listener/add'), 'a command has no value');
});

test('changes of other network listeners do not matter', async () => {
  const scope = new ListenerScope('3');
  await scope.complete(busyTree(2, 3), nothing);
  for (const path of ['/listener/2', '/rack/listener/2/slot/1', '/latency/listener/300']) assert.ok(!scope.concerns(path), path);
  for (const path of ['/', '/listener/3', '/listener/1', '/rack/recording/slot/1', '/rack/listener/3/slot/1']) {
    assert.ok(scope.concerns(path), path);
  }
  scope.remove('/rack/listener/3/slot/1');
  assert.equal(scope.chosen, '3');
  scope.remove('/listener/3');
  assert.equal(scope.chosen, null);
});

test('an engine without network listeners is shown as it is', async () => {
  const tree = busyTree(2);
  delete tree.CONTENTS.listener.CONTENTS.wired;
  const scope = new ListenerScope();
  assert.deepEqual(names(await scope.complete(tree, nothing)), ['1', '2']);
  assert.deepEqual(scope.interests(tree), ['/']);
  assert.ok(scope.concerns('/listener/2'));
});
