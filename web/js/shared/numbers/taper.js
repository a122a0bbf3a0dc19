/** Mapping of a slider's position (0 to 1) to a value, and back. */

/** Equal differences over the range. */
export function linear(minimum, maximum) {
  const span = maximum - minimum;
  return {
    toValue: (share) => minimum + span * share,
    toShare: (value) => (span === 0 ? 0 : clampShare((value - minimum) / span)),
  };
}

/** Equal ratios over the range, for frequencies and times; both ends above zero. */
export function logarithmic(minimum, maximum) {
  const ratio = Math.log(maximum / minimum);
  return {
    toValue: (share) => minimum * Math.exp(ratio * share),
    toShare: (value) => (value <= minimum ? 0 : clampShare(Math.log(value / minimum) / ratio)),
  };
}

/** The taper of a node: logarithmic when it is tagged so and its range allows it. */
export function taperFor(node) {
  const { minimum, maximum } = node.range;
  return node.tags.includes('logarithmic') && minimum > 0 ? logarithmic(minimum, maximum) : linear(minimum, maximum);
}

const clampShare = (share) => Math.min(1, Math.max(0, share));
