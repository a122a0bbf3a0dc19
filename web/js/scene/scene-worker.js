import { SceneSocket } from './scene-socket.js';

/**
 * Receives and decodes the scene beside the page. The page sends `{ address, port }` once, and `{ numbers }` of the player; it is told
 * what `SceneSocket` tells.
 */
let socket = null;
self.onmessage = ({ data }) => {
  if (data.address) socket = new SceneSocket(data.address, data.port, (told) => postMessage(told));
  else socket?.report(data.numbers);
};
