/** Bytes in front of the peaks. */
const headBytes = 40;

/**
 * Reads the engine's overview of a recording (protocol/README.md): `{ duration, minima, maxima, slices, rows, levels,
 * frequencies, decibels }`, with peaks from -1 to 1.
 */
export function readOverview(buffer) {
  const view = new DataView(buffer);
  const [columns, slices, rows] = [0, 4, 8].map((at) => view.getUint32(at, true));
  const peaks = (at) => Float32Array.from({ length: columns }, (_, index) => view.getInt16(at + 2 * index, true) / 32767);
  return {
    duration: view.getFloat64(16, true),
    frequencies: [view.getFloat32(24, true), view.getFloat32(28, true)],
    decibels: [view.getFloat32(32, true), view.getFloat32(36, true)],
    minima: peaks(headBytes),
    maxima: peaks(headBytes + 2 * columns),
    slices,
    rows,
    levels: new Uint8Array(buffer, headBytes + 4 * columns, slices * rows),
  };
}

/** Lowest and highest peak in a part of the recording, given by its ends from 0 to 1; never of fewer than one column. */
export function peaksBetween({ minima, maxima }, from, to) {
  const first = Math.min(maxima.length - 1, Math.floor(from * maxima.length));
  const end = Math.max(first + 1, Math.ceil(to * maxima.length));
  let [lowest, highest] = [Infinity, -Infinity];
  for (let column = first; column < Math.min(end, maxima.length); column += 1) {
    lowest = Math.min(lowest, minima[column]);
    highest = Math.max(highest, maxima[column]);
  }
  return [lowest, highest];
}

/** Largest absolute peak of the recording. */
export const loudestPeak = ({ minima, maxima }) =>
  maxima.reduce((loudest, high, column) => Math.max(loudest, high, -minima[column]), 0);

/** Marks of the frequency axis as pairs of a height, 0 at the bottom to 1 at the top, and a text. */
export function frequencyMarks({ frequencies: [lowest, highest] }) {
  return [[100, '100 Hz'], [1000, '1 kHz'], [10000, '10 kHz']]
    .filter(([hertz]) => hertz > lowest && hertz < highest)
    .map(([hertz, text]) => [Math.log(hertz / lowest) / Math.log(highest / lowest), text]);
}
