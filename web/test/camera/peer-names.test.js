import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PeerNames } from '../../js/camera/peer-names.js';

const stranger = (peer, name) => ({ peer, name, paired: false });
const namesOf = (names, peers) => names.distinct(peers).map(({ name }) => name);

test('peers of equal names are numbered, and keep their names while they are there', () => {
  const names = new PeerNames();
  const [first, second, third] = [stranger(3, 'Kitchen'), stranger(5, 'Kitchen'), stranger(9, 'Kitchen')];
  assert.deepEqual(namesOf(names, [first, second, stranger(6, 'Studio')]), ['Kitchen', 'Kitchen (2)', 'Studio']);
  assert.deepEqual(namesOf(names, [second, third]), ['Kitchen (2)', 'Kitchen']);
  assert.deepEqual(namesOf(names, [second, third, first]), ['Kitchen (2)', 'Kitchen', 'Kitchen (3)']);
});

test('nobody gets the number of another by its own name', () => {
  const names = new PeerNames();
  assert.deepEqual(namesOf(names, [stranger(1, 'A (2)'), stranger(2, 'A'), stranger(3, 'A')]), ['A (2)', 'A', 'A (3)']);
});

test('paired browsers keep their names', () => {
  const paired = { peer: 1, name: 'Phone', paired: true };
  assert.deepEqual(namesOf(new PeerNames(), [paired, stranger(2, 'Phone')]), ['Phone', 'Phone']);
});
