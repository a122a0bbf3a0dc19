import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partWords } from '../../../js/shared/controls/control.js';
import { counted } from '../../../js/shared/numbers/units.js';
import { readTree } from '../../../js/shared/tree/tree.js';
import { freshTree } from '../../fixture.js';

test('a count has its noun in the singular for one only', () => {
  assert.deepEqual([0, 1, 2].map((count) => counted(count, 'gap')), ['0 gaps', '1 gap', '2 gaps']);
  assert.equal(counted(2, 'branch', 'branches'), '2 branches');
});

test('every value of several numbers names them', () => {
  const several = [...readTree(freshTree()).all()].filter((node) => /^f{2,}$/.test(node.type ?? '') && !node.has('row'));
  assert.ok(several.length > 5);
  for (const node of several) assert.equal(node.parts.length, node.type.length, node.path);
  const waiting = several.find((node) => node.path === '/latency/waiting');
  assert.deepEqual(waiting.parts.map(partWords), ['median', '95\u202f%', '99\u202f%', 'max']);
  assert.equal(partWords(undefined), undefined);
});
