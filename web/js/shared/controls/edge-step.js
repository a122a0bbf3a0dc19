/** Pixels from an edge within which a drag scrolls, and pixels of each step. */
const edge = 56;
const stride = 14;

/** Pixels to scroll while a pointer is this near to the edges of a range; 0 in between. */
export function edgeStep(at, from, to) {
  if (at < from + edge) return -stride;
  return at > to - edge ? stride : 0;
}
