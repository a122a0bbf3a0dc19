/** Frames per second, and seconds: systems show no controls for shorter sounds. */
const rate = 8000;
const seconds = 10;
/** Length in bytes of the header, and the value of silence in 8 bits. */
const headBytes = 44;
const silence = 128;

/** A WAV file of silence, one channel of 8 bits. */
export function silentFile() {
  const length = rate * seconds;
  const bytes = new Uint8Array(headBytes + length).fill(silence, headBytes);
  const view = new DataView(bytes.buffer);
  const word = (at, text) => [...text].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  word(0, 'RIFF');
  view.setUint32(4, headBytes - 8 + length, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  word(36, 'data');
  view.setUint32(40, length, true);
  return new Blob([bytes], { type: 'audio/wav' });
}
