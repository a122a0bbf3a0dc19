import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoppedPeers } from '../../js/camera/stopped-peers.js';

test('stopped peers are listed once', () => {
  const stopped = new StoppedPeers();
  stopped.add({ identity: 'abc', paired: true });
  stopped.add({ identity: 'connection 7-x', paired: false });
  stopped.add({ identity: 'abc', paired: true });
  // A peer that is not known yet.
  stopped.add({});
  assert.deepEqual(stopped.identities.sort(), ['abc', 'connection 7-x']);
});

test('an offer lists 64 at most; paired ones stay, since they come back', () => {
  const stopped = new StoppedPeers();
  for (let number = 0; number < 40; number += 1) stopped.add({ identity: `paired${number}`, paired: true });
  for (let number = 0; number < 100; number += 1) stopped.add({ identity: `connection ${number}-x`, paired: false });
  assert.equal(stopped.identities.length, 64);
  assert.equal(stopped.identities.filter((identity) => identity.startsWith('paired')).length, 40);
  assert.ok(stopped.identities.includes('connection 99-x'));
});

test('one that may receive again is not listed any more', () => {
  const stopped = new StoppedPeers();
  stopped.add({ identity: 'abc', paired: true, name: 'Studio' });
  stopped.add({ identity: 'def', paired: false, name: 'Office' });
  stopped.remove('abc');
  assert.deepEqual(stopped.list, [{ identity: 'def', paired: false, name: 'Office' }]);
  assert.deepEqual(stopped.identities, ['def']);
});
