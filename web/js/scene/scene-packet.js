/** Length in bytes of a packet's header. */
const headBytes = 24;
/** Size in bytes of the largest packet of Opus. */
const largestOpus = 1276;
/** Most microphones of an array, and objects of a packet. */
const mostMicrophones = 64;
const mostObjects = 96;

/**
 * Reads a packet of the scene: `{ number, start, array, tracks, microphones, sides, objects }`; null when it is damaged.
 *
 * `tracks` holds the Opus packets of all channels: the microphones, the sides of the live input, the objects. `objects` holds
 * `{ number, direction }` of each of these.
 *
 * @param {ArrayBuffer} data
 * @param {number} frames of a packet
 */
export function readScenePacket(data, frames) {
  if (data.byteLength < headBytes) return null;
  const view = new DataView(data);
  const start = Number(view.getBigInt64(8, true));
  const [microphones, sides, count] = [view.getUint8(20), view.getUint8(21), view.getUint8(22)];
  if (view.getUint32(4, true) !== frames || !Number.isSafeInteger(start) || start < 0) return null;
  if (microphones > mostMicrophones || ![0, 2].includes(sides) || count > mostObjects) return null;
  const tracks = [];
  const objects = [];
  let at = headBytes;
  const track = () => {
    if (at + 2 > data.byteLength) return false;
    const length = view.getUint16(at, true);
    if (length === 0 || length > largestOpus || at + 2 + length > data.byteLength) return false;
    tracks.push(data.slice(at + 2, at + 2 + length));
    at += 2 + length;
    return true;
  };
  for (let channel = 0; channel < microphones + sides; channel += 1) if (!track()) return null;
  for (let i = 0; i < count; i += 1) {
    if (at + 14 > data.byteLength) return null;
    const direction = [2, 6, 10].map((offset) => view.getFloat32(at + offset, true));
    const length = Math.hypot(...direction);
    if (!(length > 0.9 && length < 1.1)) return null;
    objects.push({ number: view.getUint16(at, true), direction });
    at += 14;
    if (!track()) return null;
  }
  if (at !== data.byteLength) return null;
  return { number: view.getUint32(0, true), start, array: view.getUint32(16, true), tracks, microphones, sides, objects };
}
