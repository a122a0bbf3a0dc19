import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listFor, namesOf, trackersOfList } from '../../../js/shared/controls/picker.js';
import { roles } from '../../../js/shared/tree/roles.js';
import { readTree } from '../../../js/shared/tree/tree.js';
import { freshTree } from '../../fixture.js';

test('texts that name a file have a list, others have none', () => {
  const root = readTree(freshTree());
  const at = (path) => [...root.all()].find((node) => node.path === path);
  assert.deepEqual(listFor(root, at('/session/recording')), { list: root.find(roles.listedRecordings), kind: 'recordings' });
  assert.deepEqual(listFor(root, at('/listener/1/hrtf')), { list: root.find(roles.listedHRTFs), kind: 'hrtf' });
  assert.equal(listFor(root, at('/object/1/name')), null);
  assert.ok(root.find(roles.listedRecordings) && root.find(roles.listedHRTFs));
});

test('a list has one name per line; a tracker its profile and its usual port', () => {
  assert.deepEqual(namesOf('a.wav\nb c.wav'), [['a.wav', 'a.wav'], ['b c.wav', 'b c.wav']]);
  assert.deepEqual(namesOf(undefined), []);
  assert.deepEqual(trackersOfList('sparta\tSPARTA\t9010\nweb\tPhone\t\nserial\tAny serial\t/dev/ttyACM0'),
    [['sparta:9010', 'SPARTA'], ['web', 'Phone'], ['serial', 'Any serial']]);
});
