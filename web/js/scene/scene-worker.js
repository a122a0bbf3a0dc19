import { StreamReader } from '../playback/stream/stream-reader.js';
import { ScenePackets } from './scene-packets.js';

/**
 * Receives and decodes the scene beside the page, and passes the sound straight to the audio thread.
 *
 * The page sends `{ address, port }` once, and `{ numbers }` of the player; it is told `{ format }`, `{ link }`, `{ message }`,
 * `{ problem }`, `{ undecodable }`, `{ closed }` and `{ counts }`.
 */
const clock = () => performance.timeOrigin + performance.now();

function begin(address, port) {
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  const told = {
    send: (text) => { if (socket.readyState === WebSocket.OPEN) socket.send(text); },
    begin: (format) => postMessage({ format }),
    link: (link) => postMessage({ link }),
    problem: (problem) => postMessage({ problem }),
    other: (message) => {
      if (message.type === 'array') port.postMessage({ array: message });
      else postMessage({ message });
    },
    undecodable: (undecodable) => postMessage({ undecodable }),
    scene: (packet) => port.postMessage({ packet }, packet.sound.map(({ buffer }) => buffer)),
  };
  const reader = new StreamReader(told, clock, self, new ScenePackets(told));
  let bytes = 0;
  socket.onmessage = ({ data }) => {
    bytes += typeof data === 'string' ? data.length : data.byteLength;
    reader.take(data);
  };
  socket.onclose = ({ code, reason }) => {
    reader.end();
    postMessage({ closed: { code, reason } });
  };
  return (numbers) => {
    reader.report(numbers);
    postMessage({ counts: { bytes, refused: reader.refused + reader.packets.refused } });
  };
}

let report = () => {};
self.onmessage = ({ data }) => {
  if (data.address) report = begin(data.address, data.port);
  else report(data.numbers);
};
