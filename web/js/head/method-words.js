/** Smallest weight that counts as audible. */
const smallest = 0.004;

/** Number of microphones that an ear hears, the larger of both; `weights` are the left ear's, then the right ear's. */
export function heardCount(weights) {
  const count = weights.length / 2;
  const heard = [0, count].map((from) =>
    weights.slice(from, from + count).filter((weight) => Math.abs(weight) >= smallest).length);
  return Math.max(...heard, 0);
}

/** The number of microphones in words. */
export function choiceText(count) {
  if (count === 0) return 'no microphone is audible';
  return count === 1 ? 'one microphone per ear' : `${count} microphones per ear`;
}
