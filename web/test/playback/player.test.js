import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Player } from '../../js/playback/player.js';

test('a player reports its numbers ten times a second', () => {
  const reports = [];
  const player = new Player(48000, 48000, (numbers) => reports.push(numbers));
  const half = new Int16Array(960).fill(16384);
  for (let number = 0; number < 10; number += 1) player.push(number, half);
  for (let block = 0; block < 375 * 2; block += 1) {
    if (block % 3.75 < 1) player.push(10 + Math.floor(block / 3.75), half);
    player.play(new Float32Array(128), new Float32Array(128));
  }
  assert.ok(Math.abs(reports.length - 20) <= 1, `${reports.length} reports in 2 s`);
  assert.ok(Math.abs(reports.at(-1).rms - 0.5) < 0.001);
  assert.equal(reports.at(-1).playing, true);
  assert.ok(reports.at(-1).bufferMilliseconds > 0);
  for (let block = 0; block < 375; block += 1) player.play(new Float32Array(128), new Float32Array(128));
  assert.equal(reports.at(-1).rms, 0);
  assert.equal(reports.at(-1).playing, false);
  assert.equal(reports.at(-1).underruns, 1);
});
