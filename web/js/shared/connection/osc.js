/**
 * OSC 1.0 packets to and from bytes: int32, float32, string, double, true, false and nil, and bundles of them.
 *
 * A message is `{ address, types, values }`; a bundle `{ time, packets }`.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bundle time that means "immediately". */
const immediately = 1n;

const padded = (length) => (length + 3) & ~3;
const textSize = (bytes) => padded(bytes.length + 1);
const sizes = { i: 4, f: 4, d: 8, h: 8, t: 8, T: 0, F: 0, N: 0, I: 0 };

/** Default type tag of a value. */
function typeOf(value) {
  if (typeof value === 'number') return 'f';
  if (typeof value === 'string') return 's';
  if (typeof value === 'boolean') return value ? 'T' : 'F';
  if (value === null || value === undefined) return 'N';
  throw new TypeError(`no OSC type for ${typeof value}`);
}

/**
 * One message as bytes.
 * @param {string} address
 * @param {Array} values
 * @param {string} [types] one tag per value; a toggle's `T` becomes `F` when its value is false.
 */
export function encodeMessage(address, values = [], types = undefined) {
  const tags = values.map((value, index) => {
    const wanted = types?.[index] ?? typeOf(value);
    return wanted === 'T' || wanted === 'F' ? (value ? 'T' : 'F') : wanted;
  });
  const addressBytes = encoder.encode(address);
  const tagBytes = encoder.encode(`,${tags.join('')}`);
  const texts = values.map((value, index) => (tags[index] === 's' ? encoder.encode(String(value)) : null));
  const body = tags.reduce((sum, tag, index) => sum + (texts[index] ? textSize(texts[index]) : sizes[tag]), 0);
  const bytes = new Uint8Array(textSize(addressBytes) + textSize(tagBytes) + body);
  const view = new DataView(bytes.buffer);
  bytes.set(addressBytes, 0);
  let offset = textSize(addressBytes);
  bytes.set(tagBytes, offset);
  offset += textSize(tagBytes);
  tags.forEach((tag, index) => {
    if (texts[index]) {
      bytes.set(texts[index], offset);
      offset += textSize(texts[index]);
      return;
    }
    if (tag === 'i') view.setInt32(offset, values[index]);
    if (tag === 'f') view.setFloat32(offset, values[index]);
    if (tag === 'd') view.setFloat64(offset, values[index]);
    offset += sizes[tag];
  });
  return bytes;
}

/** Several encoded packets as one bundle. */
export function encodeBundle(packets, time = immediately) {
  const length = packets.reduce((sum, packet) => sum + 4 + packet.length, 16);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(encoder.encode('#bundle'), 0);
  view.setBigUint64(8, time);
  let offset = 16;
  for (const packet of packets) {
    view.setUint32(offset, packet.length);
    bytes.set(packet, offset + 4);
    offset += 4 + packet.length;
  }
  return bytes;
}

/** Reads one packet; throws a RangeError or SyntaxError that names the problem. */
export function decode(data) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const reader = new Reader(bytes);
  const first = reader.text();
  if (first === '#bundle') return readBundle(reader);
  if (!first.startsWith('/')) throw new SyntaxError('an OSC address begins with a slash');
  const tags = reader.text();
  if (!tags.startsWith(',')) throw new SyntaxError('an OSC type tag string begins with a comma');
  const types = tags.slice(1);
  return { address: first, types, values: Array.from(types, (tag) => reader.value(tag)) };
}

/** All messages of a packet in order, those of nested bundles included. */
export function* messagesOf(packet) {
  if (packet.packets) {
    for (const inner of packet.packets) yield* messagesOf(inner);
  } else {
    yield packet;
  }
}

function readBundle(reader) {
  const time = reader.take(8).getBigUint64(0);
  const packets = [];
  while (!reader.atEnd) {
    const length = reader.take(4).getUint32(0);
    packets.push(decode(reader.bytesOf(length)));
  }
  return { time, packets };
}

/** Reads the bytes of one packet in order, never past their end. */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.offset = 0;
  }

  get atEnd() {
    return this.offset >= this.bytes.length;
  }

  bytesOf(length) {
    if (this.offset + length > this.bytes.length) throw new RangeError('the OSC packet is truncated');
    this.offset += length;
    return this.bytes.subarray(this.offset - length, this.offset);
  }

  take(length) {
    const part = this.bytesOf(length);
    return new DataView(part.buffer, part.byteOffset, length);
  }

  text() {
    const end = this.bytes.indexOf(0, this.offset);
    if (end < 0) throw new RangeError('an OSC string is not terminated');
    const length = end - this.offset;
    return decoder.decode(this.bytesOf(padded(length + 1)).subarray(0, length));
  }

  value(tag) {
    switch (tag) {
      case 'i': return this.take(4).getInt32(0);
      case 'f': return this.take(4).getFloat32(0);
      case 'd': return this.take(8).getFloat64(0);
      case 'h': case 't': return this.take(8).getBigInt64(0);
      case 's': return this.text();
      case 'T': return true;
      case 'F': return false;
      case 'N': return null;
      case 'I': return Infinity;
      default: throw new SyntaxError(`the OSC type "${tag}" is not supported`);
    }
  }
}
