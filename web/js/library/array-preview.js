/** Seconds of a recording's beginning that are fetched. */
export const seconds = 10;

/** Bytes that hold the header of a file, unless it begins with long descriptions. */
const headerBytes = 4096;

/**
 * The format of a WAV file.
 *
 * @param view the first bytes of the file
 * @returns {{ channels, rate, bits, isFloat, start } | null} `start` is the first byte of sound; null for another file
 */
export function wavFormat(view) {
  const text = (at) => String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)));
  if (view.byteLength < 12 || !['RIFF', 'RF64', 'BW64'].includes(text(0)) || text(8) !== 'WAVE') return null;
  let format = null;
  for (let at = 12; at + 8 <= view.byteLength;) {
    const [name, size] = [text(at), view.getUint32(at + 4, true)];
    if (name === 'data') return format && { ...format, start: at + 8 };
    if (name === 'fmt ' && at + 24 <= view.byteLength) {
      // The first two bytes of an extended format's identifier are the code that others have in its place.
      const code = view.getUint16(at + 8, true);
      const kind = code === 0xfffe && at + 34 <= view.byteLength ? view.getUint16(at + 32, true) : code;
      const [channels, rate, bits] = [view.getUint16(at + 10, true), view.getUint32(at + 12, true), view.getUint16(at + 22, true)];
      if (![1, 3].includes(kind) || ![16, 24, 32].includes(bits) || channels < 1 || rate < 1) return null;
      format = { channels, rate, bits, isFloat: kind === 3 };
    }
    at += 8 + size + (size % 2);
  }
  return null;
}

/** One channel of interleaved frames, as numbers. */
function channel(view, { channels, bits, isFloat }, number) {
  const [bytes, frames] = [bits / 8, Math.floor(view.byteLength / (channels * bits / 8))];
  const read = isFloat ? (at) => view.getFloat32(at, true) : {
    16: (at) => view.getInt16(at, true) / 0x8000,
    24: (at) => (view.getUint8(at) << 8 | view.getUint16(at + 1, true) << 16) / 0x80000000,
    32: (at) => view.getInt32(at, true) / 0x80000000,
  }[bits];
  return Float32Array.from({ length: frames }, (_, i) => read((i * channels + number) * bytes));
}

/**
 * Two channels of a file's beginning as a stereo WAV file of 16 bits.
 *
 * @param view sound of the file, from its first frame on
 * @param format as `wavFormat` returns it
 */
export function stereo(view, format, left, right) {
  const [one, other] = [channel(view, format, left), channel(view, format, right)];
  const out = new DataView(new ArrayBuffer(44 + 4 * one.length));
  const word = (at, text) => [...text].forEach((letter, i) => out.setUint8(at + i, letter.charCodeAt(0)));
  word(0, 'RIFF');
  out.setUint32(4, out.byteLength - 8, true);
  word(8, 'WAVEfmt ');
  out.setUint32(16, 16, true);
  [1, 2].forEach((value, i) => out.setUint16(20 + 2 * i, value, true));
  out.setUint32(24, format.rate, true);
  out.setUint32(28, 4 * format.rate, true);
  [4, 16].forEach((value, i) => out.setUint16(32 + 2 * i, value, true));
  word(36, 'data');
  out.setUint32(40, 4 * one.length, true);
  for (let i = 0; i < one.length; i += 1) {
    [one[i], other[i]].forEach((sample, side) => {
      out.setInt16(44 + 4 * i + 2 * side, Math.round(Math.max(-1, Math.min(1, sample || 0)) * 0x7fff), true);
    });
  }
  return out.buffer;
}

/**
 * Fetches the beginning of a recording of an array: its first microphone at the left, and the opposite one at the right.
 *
 * @param fetch of the page
 * @returns {Promise<Blob>}
 * @throws an error with a sentence for people
 */
export async function arrayPreview(fetch, address) {
  const get = async (from, to) => {
    const response = await fetch(address, { headers: { Range: `bytes=${from}-${to}` } });
    if (!response.ok) throw new Error(`The recording cannot be read: ${(await response.text()).trim()}.`);
    return new DataView(await response.arrayBuffer());
  };
  const format = wavFormat(await get(0, headerBytes - 1));
  if (!format) throw new Error('Only WAV files of arrays can be previewed. Load the recording to hear it.');
  const length = seconds * format.rate * format.channels * format.bits / 8;
  const sound = await get(format.start, format.start + length - 1);
  return new Blob([stereo(sound, format, 0, Math.floor(format.channels / 2))], { type: 'audio/wav' });
}
