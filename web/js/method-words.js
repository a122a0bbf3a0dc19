/** Weights below this are not heard. */
const smallest = 0.004;

/** How many microphones each ear hears: `weights` are the left ear's, then the right ear's. */
export function heardCount(weights) {
  const count = weights.length / 2;
  const heard = [0, count].map((from) =>
    weights.slice(from, from + count).filter((weight) => Math.abs(weight) >= smallest).length);
  return Math.max(...heard, 0);
}

/** In words, for one ear. */
export function choiceText(count) {
  if (count === 0) return 'nothing is heard now';
  return count === 1 ? 'one microphone for each ear' : `${count} microphones for each ear`;
}
