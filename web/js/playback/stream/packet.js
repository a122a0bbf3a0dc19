/** Length in bytes of a packet's header. */
const headBytes = 16;
/** Size in bytes of the largest packet of Opus. */
const largestOpus = 1276;

/**
 * Reads a packet of the audio socket: `{ number, start, frames, content }`; null when it is damaged or not of this format.
 *
 * @param {ArrayBuffer} data
 * @param {{format: string, frames: number}} format of the latest text frame about it
 */
export function readPacket(data, format) {
  if (data.byteLength <= headBytes) return null;
  const view = new DataView(data);
  const frames = view.getUint32(4, true);
  const start = Number(view.getBigUint64(8, true));
  const bytes = data.byteLength - headBytes;
  if (frames !== format.frames || !Number.isSafeInteger(start)) return null;
  if (format.format === 's16le' ? bytes !== 4 * frames : bytes > largestOpus) return null;
  return { number: view.getUint32(0, true), start, frames, content: data.slice(headBytes) };
}

/** Both ears of interleaved 16-bit samples: `[left, right]`. */
export function plainSound(content) {
  const samples = new DataView(content);
  const frames = content.byteLength / 4;
  const [left, right] = [new Float32Array(frames), new Float32Array(frames)];
  for (let frame = 0; frame < frames; frame += 1) {
    left[frame] = samples.getInt16(4 * frame, true) / 32768;
    right[frame] = samples.getInt16(4 * frame + 2, true) / 32768;
  }
  return [left, right];
}
