/** Types of frames, by their number in the header. */
export const kinds = { key: 1, delta: 2, sound: 3, still: 4 };
/** Codecs by name: their number in the header, and what WebCodecs calls them. */
export const codecs = {
  vp8: { number: 1, config: { codec: 'vp8' } },
  h264: { number: 2, config: { codec: 'avc1.42E01F', avc: { format: 'annexb' } } },
  av1: { number: 3, config: { codec: 'av01.0.04M.08' } },
  opus: { number: 16, config: { codec: 'opus', sampleRate: 48000, numberOfChannels: 1 } },
  jpeg: { number: 32 },
};
/** Bytes of a header, and of the largest frame. */
export const headerBytes = 24;
export const largest = 524288;
const receiptMark = 32;
const nameOf = (table, number) => Object.keys(table).find((name) => (table[name].number ?? table[name]) === number);

/**
 * A frame as it is sent.
 *
 * @param frame `{ kind, codec, number, width, height, timestamp }`, the time in microseconds
 * @param copyTo writes the content to a Uint8Array
 * @param length bytes of the content
 */
export function encodeFrame({ kind, codec, number, width = 0, height = 0, timestamp }, length, copyTo) {
  const bytes = new Uint8Array(headerBytes + length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, kinds[kind]);
  view.setUint8(1, codecs[codec].number);
  view.setUint32(8, number, true);
  view.setUint16(12, width, true);
  view.setUint16(14, height, true);
  view.setBigUint64(16, BigInt(Math.round(timestamp)), true);
  copyTo(bytes.subarray(headerBytes));
  return bytes;
}

/** Reads a frame from an ArrayBuffer; null when it is none. */
export function decodeFrame(buffer) {
  if (buffer.byteLength <= headerBytes) return null;
  const view = new DataView(buffer);
  const kind = nameOf(kinds, view.getUint8(0));
  const codec = nameOf(codecs, view.getUint8(1));
  if (!kind || !codec) return null;
  return {
    kind, codec, sender: view.getUint32(4, true), number: view.getUint32(8, true), width: view.getUint16(12, true),
    height: view.getUint16(14, true), timestamp: Number(view.getBigUint64(16, true)), content: new Uint8Array(buffer, headerBytes),
  };
}

/** The receipt of `frames` on a link, of which `late` were not shown. */
export function encodeReceipt(link, frames, late) {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, receiptMark);
  view.setUint32(4, link, true);
  view.setUint32(8, frames, true);
  view.setUint32(12, late, true);
  return bytes;
}
