import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { roles } from '../../../js/shared/tree/roles.js';

test('no script repeats the name of a role', () => {
  const folder = new URL('../../../js', import.meta.url).pathname;
  const dotted = Object.values(roles).filter((role) => role.includes('.'));
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    if (file.endsWith(join('tree', 'roles.js'))) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    for (const role of dotted) assert.ok(!text.includes(`'${role}'`), `${file} repeats '${role}'`);
  }
});
