import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sha256 } from '../../../js/shared/numbers/sha256.js';

const hex = async (bytes, ...more) => Buffer.from(await sha256(Uint8Array.from(bytes).buffer, ...more)).toString('hex');

test('SHA-256 without TLS is that of the standard', async () => {
  assert.equal(await hex(Buffer.from('abc')), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(await hex([]), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  // All lengths around the ends of blocks, and more than one portion.
  for (const length of [...Array(130).keys(), 2 ** 18 - 1, 2 ** 18, 2 ** 18 + 70, 700_001]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 7)) & 255);
    assert.equal(await hex(bytes), createHash('sha256').update(bytes).digest('hex'), `${length} bytes`);
  }
});

test('the page can do other things meanwhile', async () => {
  let rests = 0;
  await hex(new Uint8Array(2 ** 20), async () => { rests += 1; });
  assert.equal(rests, 3);
});
