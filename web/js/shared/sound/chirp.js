/** Length of the chirp in frames, and the band that it sweeps, hertz: what small loudspeakers and microphones have in common. */
const length = 2048;
const [lowest, highest] = [1000, 6000];
/** Share of the energy of the sound under the best match that the chirp has at least; less is chance. */
const certain = 0.15;

/** A sweep upwards with a soft beginning and end, from -1 to 1. */
export function makeChirp(rate) {
  return Float32Array.from({ length }, (_, i) => {
    const time = i / rate;
    const slope = ((highest - lowest) * rate) / length;
    return Math.sin(2 * Math.PI * (lowest + (slope * time) / 2) * time) * Math.sin((Math.PI * (i + 0.5)) / length) ** 2;
  });
}

/**
 * Finds a chirp in a recording by correlation: the place of its first frame, between frames as well; null when it is not there.
 *
 * @param {Float32Array} sound
 * @param {Float32Array} chirp
 */
export function findChirp(sound, chirp) {
  const last = sound.length - chirp.length;
  const products = new Float64Array(Math.max(0, last + 1));
  let best = -1;
  for (let at = 0; at <= last; at += 1) {
    let product = 0;
    for (let i = 0; i < chirp.length; i += 1) product += sound[at + i] * chirp[i];
    products[at] = product;
    // A loudspeaker may be inverted.
    if (best < 0 || Math.abs(product) > Math.abs(products[best])) best = at;
  }
  if (best < 0) return null;
  let [own, energy] = [0, 1e-20];
  for (let i = 0; i < chirp.length; i += 1) {
    own += chirp[i] ** 2;
    energy += sound[best + i] ** 2;
  }
  if (products[best] ** 2 < certain * own * energy) return null;
  const [before, here, after] = [-1, 0, 1].map((step) => Math.abs(products[best + step] ?? 0));
  const curve = before - 2 * here + after;
  return best + (curve < 0 ? (before - after) / (2 * curve) : 0);
}
