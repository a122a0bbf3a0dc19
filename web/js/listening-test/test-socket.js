/** Milliseconds between two attempts to connect. */
const retryDelay = 1000;

/**
 * The socket of a participant's page; connects again by itself.
 *
 * `world` is that of `Connection`. `handlers` has `view(view)`, `position(seconds)`, `problem(text)` and `state(isOpen)`.
 */
export class TestSocket {
  constructor(world, handlers) {
    this.world = world;
    this.handlers = handlers;
    this.socket = null;
    this.isWanted = false;
  }

  start() {
    this.isWanted = true;
    if (this.socket) return;
    const socket = this.world.socket(`${this.world.origin.replace(/^http/, 'ws')}/listening-test`);
    this.socket = socket;
    socket.onopen = () => this.handlers.state(true);
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = () => {
      if (this.socket === socket) this.socket = null;
      this.handlers.state(false);
      this.world.setTimer(() => this.isWanted && this.start(), retryDelay);
    };
  }

  /** Closes the socket until the next start. */
  stop() {
    this.isWanted = false;
    this.socket?.close();
    this.socket = null;
  }

  #take(message) {
    if (message.view) this.handlers.view(message.view);
    else if (message.problem !== undefined) this.handlers.problem(message.problem);
    else if (message.position !== undefined) this.handlers.position(message.position);
  }

  /** Sends an order such as `{ type: 'hear', sound: 2 }`; false without a connection. */
  send(order) {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(JSON.stringify(order));
    return true;
  }
}
