/**
 * A spectrogram as the engine sends it, with levels in dB.
 *
 * @returns `columns`, `rows`, `lowest`, `highest` (Hz), and `level(column, row)` in dB, the lowest row first; null for one that is damaged
 */
export function spectrogramOf({ columns, rows, lowest, highest, floor, levels }) {
  if (!(columns > 0 && rows > 0) || levels?.length !== columns * rows) return null;
  const values = Float32Array.from(levels, (digit) => floor * (1 - parseInt(digit, 36) / 35) + 0);
  return { columns, rows, lowest, highest, floor, level: (column, row) => values[column * rows + row] };
}

/** Centre of a band in Hz. */
export const bandCentre = ({ rows, lowest, highest }, row) => lowest * (highest / lowest) ** ((row + 0.5) / rows);

/** A frequency in two digits: "440 Hz", "1.2 kHz". */
export function frequencyText(hertz) {
  const rounded = Number(hertz.toPrecision(2));
  return rounded < 1000 ? `${rounded} Hz` : `${rounded / 1000} kHz`;
}

/** The band that has most energy, over all columns in a range. */
function strongest(spectrogram, from, to) {
  let [best, most] = [0, -1];
  for (let row = 0; row < spectrogram.rows; row += 1) {
    let energy = 0;
    for (let column = from; column < to; column += 1) energy += 10 ** (spectrogram.level(column, row) / 10);
    if (energy > most) [best, most] = [row, energy];
  }
  return bandCentre(spectrogram, best);
}

/** A spectrogram in words, for those who do not see it. */
export function spectrogramText(spectrogram) {
  const { columns } = spectrogram;
  const thirds = [0, 1, 2].map((part) => [Math.floor(part * columns / 3), Math.ceil((part + 1) * columns / 3)]);
  const [begin, middle, end] = thirds.map(([from, to]) => frequencyText(strongest(spectrogram, from, to)));
  return begin === middle && middle === end ? `Spectrogram: strongest near ${begin}`
    : `Spectrogram: strongest near ${begin} at the beginning, ${middle} in the middle and ${end} at the end`;
}
