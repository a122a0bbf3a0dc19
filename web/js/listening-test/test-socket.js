/** Milliseconds between two attempts to connect. */
const retryDelay = 1000;

/**
 * The socket of a participant's page; connects again by itself.
 *
 * `world` is that of `Connection`. `told` has `view(view)`, `position(seconds)`, `problem(text)` and `state(isOpen)`.
 */
export class TestSocket {
  constructor(world, told) {
    this.world = world;
    this.told = told;
    this.socket = null;
  }

  start() {
    if (this.socket) return;
    const socket = this.world.socket(`${this.world.origin.replace(/^http/, 'ws')}/listening-test`);
    this.socket = socket;
    socket.onopen = () => this.told.state(true);
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = () => {
      this.socket = null;
      this.told.state(false);
      this.world.setTimer(() => this.start(), retryDelay);
    };
  }

  #take(message) {
    if (message.view) this.told.view(message.view);
    else if (message.problem !== undefined) this.told.problem(message.problem);
    else if (message.position !== undefined) this.told.position(message.position);
  }

  /** Sends an order such as `{ type: 'hear', sound: 2 }`; false without a connection. */
  send(order) {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(JSON.stringify(order));
    return true;
  }
}
