/** Upper bound of the first bin in ms; every further bin is a quarter of an octave wide. */
const firstBound = 0.25;

/** Upper bound of a bin in ms. */
export const boundOf = (index) => firstBound * 2 ** (index / 4);

/** Range `[from, to)` of bins that contains all counts, with a margin of two on either side. */
export function visible(counts) {
  const first = counts.findIndex((count) => count > 0);
  if (first < 0) return [0, 0];
  const last = counts.findLastIndex((count) => count > 0);
  return [Math.max(0, first - 2), Math.min(counts.length, last + 3)];
}
