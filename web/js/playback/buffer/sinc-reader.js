/** Taps of the filter, and places between two frames for which it is tabulated. */
const taps = 32;
const phases = 512;
/** Frames that have to be known before and after a position that is read. */
export const reach = taps / 2;
/** Shape of the Kaiser window: side lobes below -90 dB. */
const beta = 9.5;
/** Share of the band that is kept; the rest is the filter's transition. */
const band = 0.94;

/** Modified Bessel function of the first kind, order 0. */
function bessel(x) {
  let [sum, term] = [1, 1];
  for (let n = 1; term > 1e-12 * sum; n += 1) {
    term *= (x / (2 * n)) ** 2;
    sum += term;
  }
  return sum;
}

/** Rows of taps for positions between two frames; one row more, so that the last place has a neighbour. */
function makeTable(cutoff) {
  const table = new Float32Array((phases + 1) * taps);
  for (let phase = 0; phase <= phases; phase += 1) {
    const row = new Float64Array(taps);
    let sum = 0;
    for (let tap = 0; tap < taps; tap += 1) {
      const x = tap - (reach - 1) - phase / phases;
      const edge = x / reach;
      const window = Math.abs(edge) < 1 ? bessel(beta * Math.sqrt(1 - edge * edge)) / bessel(beta) : 0;
      const angle = Math.PI * cutoff * x;
      row[tap] = (x === 0 ? cutoff : (cutoff * Math.sin(angle)) / angle) * window;
      sum += row[tap];
    }
    for (let tap = 0; tap < taps; tap += 1) table[phase * taps + tap] = row[tap] / sum;
  }
  return table;
}

/** Reads sound at positions between frames, by a windowed sinc. */
export class SincReader {
  /** @param {number} ratio frames that are read for each output frame; above 1 the band is limited to that of the output */
  constructor(ratio) {
    this.table = makeTable(band * Math.min(1, 1 / ratio));
    this.weights = new Float32Array(taps);
  }

  /**
   * Reads all channels at a position.
   *
   * @param {Float32Array[]} channels rings of a power of two in length
   * @param {Float32Array} values receives the sound of each
   */
  read(channels, mask, position, values) {
    const { table, weights } = this;
    const whole = Math.floor(position);
    const place = (position - whole) * phases;
    const phase = Math.floor(place);
    const share = place - phase;
    let row = phase * taps;
    for (let tap = 0; tap < taps; tap += 1, row += 1) weights[tap] = table[row] + share * (table[row + taps] - table[row]);
    const first = whole - (reach - 1);
    for (let channel = 0; channel < channels.length; channel += 1) {
      const samples = channels[channel];
      let sum = 0;
      for (let tap = 0; tap < taps; tap += 1) sum += weights[tap] * samples[(first + tap) & mask];
      values[channel] = sum;
    }
  }
}
