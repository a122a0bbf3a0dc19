/** Every how many frames sounds are compared. */
const stride = 3;

/**
 * Finds the distance at which sound resembles itself most.
 *
 * @param {function(number): number} sample both ears' sum at an index
 * @param {number} first index of the sound
 * @param {number} length frames that are compared
 * @param {number} shortest @param {number} longest distances in frames; negative distances lie in the past
 * @returns {{lag: number, likeness: number}} the likeness is 1 for a repetition, and for silence
 */
export function similarSound(sample, first, length, shortest, longest) {
  const own = [];
  let energy = 1e-9;
  for (let at = 0; at < length; at += stride) {
    const value = sample(first + at);
    own.push(value);
    energy += value * value;
  }
  let best = { lag: shortest, likeness: -1 };
  for (let lag = shortest; lag <= longest; lag += 2) {
    let [product, power] = [1e-9, 1e-9];
    for (let at = 0, index = 0; at < length; at += stride, index += 1) {
      const value = sample(first + at + lag);
      product += own[index] * value;
      power += value * value;
    }
    const likeness = product / Math.sqrt(energy * power);
    if (likeness > best.likeness) best = { lag, likeness };
  }
  return best;
}
