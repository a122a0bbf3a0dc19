import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learnUploads, onUploadKind, sizeText, uploadProblem } from '../../../js/shared/controls/upload-kinds.js';

const sounds = { name: 'sounds', endings: ['wav', 'flac'], most: 512 * 2 ** 20 };

test('files of other kinds and sizes are not sent', () => {
  assert.equal(uploadProblem(sounds, { name: 'a.WAV', size: 100 }), null);
  assert.match(uploadProblem(sounds, { name: 'a.mp3', size: 100 }), /end in \.wav, \.flac/);
  assert.match(uploadProblem(sounds, { name: 'wav', size: 100 }), /end in/);
  assert.match(uploadProblem(sounds, { name: 'a.wav', size: 513 * 2 ** 20 }), /it has 513 MiB, and at most 512 MiB/);
  assert.match(uploadProblem(sounds, { name: 'a.wav', size: 0 }), /is empty/);
});

test('sizes in words', () => {
  assert.deepEqual([12, 1024, 1536, 2 ** 20, 150 * 2 ** 20, 8 * 2 ** 30].map(sizeText),
    ['12 bytes', '1 KiB', '1.5 KiB', '1 MiB', '150 MiB', '8 GiB']);
});

test('kinds are told to those who wait for them, and to none that may not control', async () => {
  const ends = [];
  const page = { onEnd: (action) => ends.push(action) };
  const events = [];
  onUploadKind(page, 'sounds', (kind) => events.push(kind?.most));
  await learnUploads({ fetch: async () => ({ ok: true, json: async () => [sounds] }) });
  await learnUploads({ fetch: async () => ({ ok: false, status: 403 }) });
  assert.deepEqual(events, [undefined, sounds.most, undefined]);
  ends.forEach((end) => end());
  await learnUploads({ fetch: async () => ({ ok: true, json: async () => [sounds] }) });
  assert.equal(events.length, 3);
});
