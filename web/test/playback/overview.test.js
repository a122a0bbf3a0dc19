import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frequencyMarks, loudestPeak, peaksBetween, readOverview } from '../../js/playback/overview.js';

/** Four columns and two spectra of three bands, in the engine's format. */
function encoded() {
  const view = new DataView(new ArrayBuffer(40 + 4 * 4 + 6));
  [4, 2, 3, 0].forEach((value, index) => view.setUint32(4 * index, value, true));
  view.setFloat64(16, 12.5, true);
  [40, 20000, -102, 0].forEach((value, index) => view.setFloat32(24 + 4 * index, value, true));
  [-32767, -100, 0, -16384].forEach((value, index) => view.setInt16(40 + 2 * index, value, true));
  [1, 32767, 0, 8192].forEach((value, index) => view.setInt16(48 + 2 * index, value, true));
  [1, 2, 3, 4, 5, 255].forEach((value, index) => view.setUint8(56 + index, value));
  return view.buffer;
}

test('an overview is read as the engine writes it', () => {
  const overview = readOverview(encoded());
  assert.equal(overview.duration, 12.5);
  assert.deepEqual([overview.slices, overview.rows], [2, 3]);
  assert.deepEqual([...overview.levels], [1, 2, 3, 4, 5, 255]);
  assert.deepEqual([overview.frequencies, overview.decibels], [[40, 20000], [-102, 0]]);
  assert.deepEqual([overview.minima[0], overview.maxima[1]], [-1, 1]);
  assert.equal(loudestPeak(overview), 1);
});

test('a pixel has the extremes of all columns that it touches, and never fewer than one', () => {
  const overview = readOverview(encoded());
  const close = (found, expected) => found.forEach((value, index) => assert.ok(Math.abs(value - expected[index]) < 1e-3, `${found}`));
  close(peaksBetween(overview, 0, 0.25), [-1, 0]);
  close(peaksBetween(overview, 0.2, 0.3), [-1, 1]);
  close(peaksBetween(overview, 0.26, 0.27), [-0.003, 1]);
  close(peaksBetween(overview, 0.75, 1), [-0.5, 0.25]);
  close(peaksBetween(overview, 1, 1.01), [-0.5, 0.25]);
});

test('the frequency axis is logarithmic, and marks beyond its ends are left out', () => {
  const marks = frequencyMarks({ frequencies: [10, 100000] });
  assert.deepEqual(marks.map(([, text]) => text), ['100 Hz', '1 kHz', '10 kHz']);
  marks.forEach(([share], index) => assert.ok(Math.abs(share - (index + 1) / 4) < 1e-9));
  assert.deepEqual(frequencyMarks({ frequencies: [40, 8000] }).map(([, text]) => text), ['100 Hz', '1 kHz']);
});
