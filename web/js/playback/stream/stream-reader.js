import { EarPackets } from './ear-packets.js';

/** Frames of the longest packet that is read. */
const mostFrames = 48_000;

/** Whether a text of the engine has the fields of its kind. */
function isKnown(message) {
  if (typeof message !== 'object' || message === null) return false;
  const { type } = message;
  if (type === 'time') return Number.isSafeInteger(message.id);
  if (type === 'link') return ['roundTrip', 'overflow', 'changes'].every((name) => Number.isFinite(message[name]));
  if (type === 'error') return typeof message.text === 'string';
  if (type === 'array') return Number.isSafeInteger(message.number) && Array.isArray(message.azimuths);
  if (type === 'listener') return typeof message.method === 'string';
  return type === undefined && typeof message.format === 'string' && message.rate > 0 && message.frames > 0 && message.frames <= mostFrames;
}

/** Milliseconds between two reports to the engine. */
const reportEvery = 500;

/**
 * The receiving side of one audio socket: reads its frames, decodes packets, answers questions about times, and reports.
 *
 * Independent of sockets and of the output.
 */
export class StreamReader {
  /**
   * @param handlers `send(text)`, `begin(format)`, `sound(start, left, right)`, `link(link)`, `problem(text)`, `undecodable(reason)`,
   *   and `other(message)` for messages of other types
   * @param {function(): number} clock milliseconds, which `link.origin` is given in
   * @param packets decodes packets: `begin(format)`, `take(data)`, `refused` and `end()`
   */
  constructor(handlers, clock, world = globalThis, packets = new EarPackets(handlers, world)) {
    this.handlers = handlers;
    this.clock = clock;
    this.packets = packets;
    this.format = null;
    this.link = null;
    this.refused = 0;
    this.reported = -Infinity;
  }

  /** Takes a frame of the socket. */
  take(data) {
    if (typeof data === 'string') this.#read(data);
    else this.#decode(data);
  }

  #read(text) {
    const arrived = this.clock();
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      this.refused += 1;
      return;
    }
    if (!isKnown(message)) {
      this.refused += 1;
    } else if (message.type === 'time') {
      this.handlers.send(JSON.stringify({ type: 'time', id: message.id, received: arrived, answered: this.clock() }));
    } else if (message.type === 'link') {
      this.link = message;
      this.handlers.link(message);
    } else if (message.type === 'error') {
      this.handlers.problem(message.text);
    } else if (message.type) {
      this.handlers.other?.(message);
    } else {
      this.#begin(message);
    }
  }

  #begin(format) {
    this.format = format;
    this.packets.begin(format);
    this.handlers.begin(format);
  }

  #decode(data) {
    if (!this.format || !this.packets.take(data)) this.refused += 1;
  }

  /** Reports to the engine what the player has counted, twice a second. */
  report(numbers) {
    const now = this.clock();
    if (this.format?.bitrate === undefined || now - this.reported < reportEvery) return;
    this.reported = now;
    this.handlers.send(JSON.stringify({
      type: 'report', packets: numbers.packets, late: numbers.late, lost: numbers.dropped,
      refused: numbers.refused + this.refused + this.packets.refused, concealed: numbers.concealedMilliseconds,
      buffer: numbers.bufferMilliseconds, target: numbers.targetMilliseconds, drift: numbers.drift,
    }));
  }

  end() {
    this.packets.end();
  }
}
