import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTree } from '../../../js/shared/tree/tree.js';
import { freshTree } from '../../fixture.js';

test('a search by role finds what a walk through the tree finds, from every container, in its order', () => {
  const root = readTree(freshTree());
  const roles = new Set([...root.all()].flatMap(({ tags, extendedTypes }) => [...tags, ...extendedTypes]));
  assert.ok(roles.size > 100);
  for (const container of [...root.all()].filter((node) => node.isContainer)) {
    const below = [...container.all()];
    for (const role of [...roles, 'no.such.role']) {
      const wanted = below.filter(({ tags, extendedTypes }) => tags.includes(role) || extendedTypes.includes(role));
      assert.deepEqual(container.findAll(role).map(({ path }) => path), wanted.map(({ path }) => path), `${role} below ${container.path}`);
      assert.equal(container.find(role), wanted[0] ?? null);
    }
  }
});
