/** Time in milliseconds before another attempt. */
const retryDelay = 2000;

/**
 * Topics of the telemetry WebSocket, as JSON, between `start` and `stop`; reconnects by itself.
 *
 * `world` is that of `Connection`.
 */
export class Telemetry {
  /**
   * @param take called with the data of each frame, and with the frame
   * @param state called with true when the socket opens, with false when it closes
   */
  constructor(world, topics, rate, take, state = () => {}) {
    this.world = world;
    this.request = JSON.stringify({ type: 'subscribe', topics, rate });
    this.topics = topics;
    this.take = take;
    this.state = state;
    this.socket = null;
    this.timer = undefined;
  }

  start() {
    if (this.socket || this.timer !== undefined) return;
    const socket = this.world.socket(`${this.world.origin.replace(/^http/, 'ws')}/`, 'vestibule.telemetry.v1');
    this.socket = socket;
    socket.onopen = () => {
      socket.send(this.request);
      this.state(true);
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === 'frame' && this.topics.includes(message.topic)) this.take(message.data, message);
    };
    socket.onclose = () => {
      this.socket = null;
      this.state(false);
      this.timer = this.world.setTimer(() => {
        this.timer = undefined;
        this.start();
      }, retryDelay);
    };
  }

  stop() {
    if (this.timer !== undefined) this.world.clearTimer(this.timer);
    this.timer = undefined;
    if (!this.socket) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.socket = null;
  }
}
