import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrayPreview, stereo, wavFormat } from '../../js/library/array-preview.js';

/** A WAV file of `frames` of interleaved samples between -1 and 1. */
function wav(frames, bits, { isFloat = false, isExtended = false, before = 0 } = {}) {
  const [channels, bytes] = [frames[0].length, bits / 8];
  const size = isExtended ? 40 : 16;
  const view = new DataView(new ArrayBuffer(12 + (before ? 8 + before : 0) + 8 + size + 8 + frames.length * channels * bytes));
  let at = 0;
  const word = (text) => [...text].forEach((letter) => view.setUint8(at++, letter.charCodeAt(0)));
  const number = (value, count) => {
    for (let i = 0; i < count; i += 1) view.setUint8(at++, Math.floor(value / 256 ** i) & 255);
  };
  word('RIFF');
  number(view.byteLength - 8, 4);
  word('WAVE');
  if (before) {
    word('LIST');
    number(before, 4);
    at += before;
  }
  word('fmt ');
  number(size, 4);
  const code = isFloat ? 3 : 1;
  number(isExtended ? 0xfffe : code, 2);
  [[channels, 2], [48000, 4], [48000 * channels * bytes, 4], [channels * bytes, 2], [bits, 2]].forEach((field) => number(...field));
  if (isExtended) [[22, 2], [bits, 2], [0, 4], [code, 2], [0, 14]].forEach((field) => number(...field));
  word('data');
  number(frames.length * channels * bytes, 4);
  for (const sample of frames.flat()) {
    if (isFloat) view.setFloat32(at, sample, true);
    else number(Math.round(sample * 2 ** (bits - 1)) + (sample < 0 ? 2 ** bits : 0), bytes);
    if (isFloat) at += 4;
  }
  return view;
}

const gains = [0.25, 0.5, -1, 0.75];
const frames = Array.from({ length: 50 }, (_, i) => gains.map((gain) => (i - 25) / 30 * gain));

test('two channels of every format are found', () => {
  for (const [bits, options] of [[16, {}], [24, {}], [32, {}], [32, { isFloat: true }], [24, { isExtended: true }], [24, { before: 30 }]]) {
    const file = wav(frames, bits, options);
    const format = wavFormat(file);
    assert.deepEqual([format.channels, format.rate, format.bits, format.isFloat], [4, 48000, bits, Boolean(options.isFloat)]);
    const sound = stereo(new DataView(file.buffer, format.start), format, 0, 2);
    const out = wavFormat(new DataView(sound));
    assert.deepEqual([out.channels, out.bits, out.start], [2, 16, 44]);
    const samples = new Int16Array(sound, 44);
    frames.forEach((frame, i) => {
      assert.ok(Math.abs(samples[2 * i] / 0x7fff - frame[0]) < 1e-4, `${bits}`);
      assert.ok(Math.abs(samples[2 * i + 1] / 0x7fff - frame[2]) < 1e-4, `${bits}`);
    });
  }
});

test('other files have no format', () => {
  const good = new Uint8Array(wav(frames, 16).buffer);
  for (const length of [0, 4, 11, 12, 20, 30, 43]) assert.equal(wavFormat(new DataView(good.buffer, 0, length)), null);
  assert.equal(wavFormat(wav(frames, 16, { before: 8000 }) && new DataView(new ArrayBuffer(100))), null);
  const compressed = wav(frames, 16);
  compressed.setUint16(20, 85, true);
  assert.equal(wavFormat(compressed), null);
});

test('only the beginning is fetched', async () => {
  const file = new Uint8Array(wav(frames, 24).buffer);
  const asked = [];
  const fetch = (address, { headers }) => {
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.Range).map(Number);
    asked.push([from, to]);
    return Promise.resolve(new Response(file.slice(from, to + 1), { status: 206 }));
  };
  const blob = await arrayPreview(fetch, '/library/recordings/ring.wav');
  assert.equal(blob.size, 44 + 4 * frames.length);
  assert.deepEqual(asked, [[0, 4095], [44, 44 + 10 * 48000 * 4 * 3 - 1]]);
  await assert.rejects(arrayPreview(() => Promise.resolve(new Response('no', { status: 404 })), '/x'), /cannot be read: no/);
  await assert.rejects(arrayPreview(() => Promise.resolve(new Response('not a wav file at all')), '/x'), /Only WAV/);
});
