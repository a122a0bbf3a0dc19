import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encodeBundle, encodeMessage, messagesOf } from '../../../js/shared/connection/osc.js';

const hex = (bytes) => Buffer.from(bytes).toString('hex');

test('the example of the OSC 1.0 specification, byte by byte', () => {
  assert.equal(hex(encodeMessage('/oscillator/4/frequency', [440])),
    '2f6f7363696c6c61746f722f342f6672657175656e6379002c66000043dc0000');
  assert.equal(hex(encodeMessage('/foo', [1000, -1, 'hello', 1.234, 5.678], 'iisff')),
    '2f666f6f000000002c69697366660000000003e8ffffffff68656c6c6f0000003f9df3b640b5b22d');
});

test('every type survives encoding and decoding', () => {
  const values = [7, 0.5, 'Größe', 1 / 3, true, false, null];
  const message = decode(encodeMessage('/a', values, 'ifsdTTN'));
  assert.deepEqual(message, { address: '/a', types: 'ifsdTFN', values });
});

test('default types are derived from the values', () => {
  assert.equal(decode(encodeMessage('/a', [1, 'x', true, false])).types, 'fsTF');
  assert.deepEqual(decode(encodeMessage('/a')).values, []);
  assert.throws(() => encodeMessage('/a', [{}]), TypeError);
});

test('strings of every length are padded to four bytes', () => {
  for (const text of ['', 'a', 'ab', 'abc', 'abcd', 'abcde']) {
    const bytes = encodeMessage('/t', [text, 1], 'si');
    assert.equal(bytes.length % 4, 0);
    assert.deepEqual(decode(bytes).values, [text, 1]);
  }
});

test('nested bundles unfold in order', () => {
  const inner = encodeBundle([encodeMessage('/b', [2]), encodeMessage('/c', [3])], 5n);
  const outer = decode(encodeBundle([encodeMessage('/a', [1]), inner]));
  assert.equal(outer.time, 1n);
  const found = [...messagesOf(outer)].map(({ address, values }) => [address, ...values]);
  assert.deepEqual(found, [['/a', 1], ['/b', 2], ['/c', 3]]);
});

test('a packet inside a larger buffer is read at its offset', () => {
  const bytes = encodeMessage('/a', [0.25]);
  const larger = new Uint8Array(bytes.length + 8);
  larger.set(bytes, 8);
  assert.deepEqual(decode(larger.subarray(8)).values, [0.25]);
  assert.deepEqual(decode(bytes.buffer).values, [0.25]);
});

test('invalid OSC is refused with a reason', () => {
  const whole = encodeMessage('/a/b/c', [1, 2, 3]);
  for (let length = 0; length < whole.length; length += 1) assert.throws(() => decode(whole.subarray(0, length)));
  assert.throws(() => decode(new TextEncoder().encode('abc\0,\0\0\0')), /slash/);
  assert.throws(() => decode(new TextEncoder().encode('/ab\0f\0\0\0')), /comma/);
  assert.throws(() => decode(encodeBundle([new Uint8Array([1, 2, 3, 4])])), RangeError);
});
