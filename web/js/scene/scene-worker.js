import { SceneSocket } from './scene-socket.js';

/**
 * Receives and decodes the scene beside the page. The page sends `{ address, port }` once, and `{ numbers }` of the player; it receives
 * the reports of `SceneSocket`.
 */
let socket = null;
self.onmessage = ({ data }) => {
  if (data.address) socket = new SceneSocket(data.address, data.port, (events) => postMessage(events));
  else socket?.report(data.numbers);
};
