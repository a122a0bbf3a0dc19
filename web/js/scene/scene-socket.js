import { StreamReader } from '../playback/stream/stream-reader.js';
import { ScenePackets } from './scene-packets.js';

/** Milliseconds without a packet after which the connection counts as lost, and between two checks of it. */
const silentAfter = 6000;
const interval = 1000;

/**
 * One connection to the engine's scene: receives and decodes it, and passes the sound straight to the audio thread.
 *
 * Reports `{ format }`, `{ link }`, `{ message }`, `{ problem }`, `{ undecodable }`, `{ closed }` and `{ counts }`. A connection that is
 * open but silent, as after a change of the network, is closed like a lost one.
 */
export class SceneSocket {
  #socket;
  #reader;
  #tell;
  #world;
  #watch;
  #heard;
  #bytes = 0;
  #isEnded = false;

  /**
   * @param address of the scene
   * @param port way to the audio thread
   * @param {function(object)} tell
   * @param world the global object of the worker
   */
  constructor(address, port, tell, world = globalThis) {
    this.#tell = tell;
    this.#world = world;
    this.#heard = world.performance.now();
    const socket = new world.WebSocket(address);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    const events = {
      send: (text) => { if (socket.readyState === world.WebSocket.OPEN) socket.send(text); },
      begin: (format) => tell({ format }),
      link: (link) => tell({ link }),
      problem: (problem) => tell({ problem }),
      other: (message) => {
        if (message.type === 'array') port.postMessage({ array: message });
        else tell({ message });
      },
      undecodable: (undecodable) => tell({ undecodable }),
      scene: (packet) => port.postMessage({ packet }, packet.sound.map(({ buffer }) => buffer)),
    };
    this.#reader = new StreamReader(
      events, () => world.performance.timeOrigin + world.performance.now(), world, new ScenePackets(events, world));
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code, reason }) => this.#end(code, reason);
    this.#watch = world.setInterval(() => this.#look(), interval);
  }

  #take(data) {
    const isText = typeof data === 'string';
    if (!isText) this.#heard = this.#world.performance.now();
    this.#bytes += isText ? data.length : data.byteLength;
    this.#reader.take(data);
  }

  #look() {
    if (this.#world.performance.now() - this.#heard > silentAfter) this.#end(1006, 'the connection has timed out');
  }

  #end(code, reason) {
    if (this.#isEnded) return;
    this.close();
    this.#tell({ closed: { code, reason } });
  }

  /** Reports to the engine what the player has counted, and the page what has arrived. */
  report(numbers) {
    if (this.#isEnded) return;
    const reader = this.#reader;
    reader.report(numbers);
    this.#tell({ counts: { bytes: this.#bytes, refused: reader.refused + reader.packets.refused } });
  }

  /** Ends the connection without a word to the page. */
  close() {
    this.#isEnded = true;
    this.#world.clearInterval(this.#watch);
    this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#reader.end();
  }
}
