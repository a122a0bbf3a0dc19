/** Bounds of the histogram in ms: up to the first, then a quarter of an octave each. */
const firstBound = 0.25;
export const boundOf = (index) => firstBound * 2 ** (index / 4);

/** Numbers from the first to the last that counts anything, with one more to either side: `[from, to)`. */
export function visible(counts) {
  const first = counts.findIndex((count) => count > 0);
  if (first < 0) return [0, 0];
  const last = counts.findLastIndex((count) => count > 0);
  return [Math.max(0, first - 2), Math.min(counts.length, last + 3)];
}
