import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Player } from '../../js/playback/player.js';

test('a player reports its numbers ten times a second', () => {
  const reports = [];
  const player = new Player(48000, 48000, (numbers) => reports.push(numbers));
  const half = () => new Float32Array(480).fill(0.5);
  let sent = 0;
  for (; sent < 10; sent += 1) player.push(480 * sent, half(), half());
  for (let block = 0; block < 375 * 2; block += 1) {
    if (block % 3.75 < 1) player.push(480 * sent++, half(), half());
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
