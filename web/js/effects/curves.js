/** Characteristic curves of dynamics and equalisers, by the formulas that the engine uses. */

/**
 * The magnitude of an equaliser band in dB: the analogue prototypes of Bristow-Johnson's cookbook.
 *
 * @param band { shape, frequency, gain, q } with the engine's names of shapes
 */
export function bandDecibels({ shape, frequency, gain, q }, hertz) {
  const w = frequency;
  const narrow = Math.max(0.05, shape.endsWith('shelf') ? Math.min(1, q) : q);
  const a = 10 ** (gain / 40);
  const root = Math.sqrt(a);
  let [n0, n1, n2, d1, d2] = [1, w / narrow, w * w, w / narrow, w * w];
  if (shape === 'off') return 0;
  if (shape === 'peak') [n1, d1] = [(w * a) / narrow, w / (a * narrow)];
  if (shape === 'low-shelf') [n1, n2, d1, d2] = [(root * w) / narrow, a * w * w, w / (root * narrow), (w * w) / a];
  if (shape === 'high-shelf') {
    [n0, n1, n2, d1, d2] = [a * a, (a * root * w) / narrow, a * w * w, (root * w) / narrow, a * w * w];
  }
  if (shape === 'low-pass') [n0, n1] = [0, 0];
  if (shape === 'high-pass') [n1, n2] = [0, 0];
  const s2 = -hertz * hertz;
  const top = (n0 * s2 + n2) ** 2 + (n1 * hertz) ** 2;
  const bottom = (s2 + d2) ** 2 + (d1 * hertz) ** 2;
  return 10 * Math.log10(Math.max(1e-12, top / bottom));
}

/** All bands together, in dB. */
export const responseDecibels = (bands, hertz) => bands.reduce((sum, band) => sum + bandDecibels(band, hertz), 0);

/** Output level of a compressor for an input level, in dB (Giannoulis, Massberg and Reiss 2012). */
export function compressedDecibels({ threshold, ratio, knee, makeUp }, level) {
  const width = Math.max(0.01, knee);
  const over = level - threshold;
  const inKnee = Math.min(Math.max(over + width / 2, 0), width);
  const wanted = (1 - 1 / Math.max(1, ratio)) * ((inKnee * inKnee) / (2 * width) + Math.max(over - width / 2, 0));
  return level - wanted + makeUp;
}
