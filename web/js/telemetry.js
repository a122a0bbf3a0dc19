const again = 2000;

/**
 * Topics of the telemetry WebSocket, as JSON, for as long as they are wanted; comes back by itself.
 *
 * `world` is what a Connection is given.
 */
export class Telemetry {
  /**
   * @param told called with what each frame says, and with the frame
   * @param state called with true when frames can come, with false when they cannot any more
   */
  constructor(world, topics, rate, told, state = () => {}) {
    this.world = world;
    this.request = JSON.stringify({ type: 'subscribe', topics, rate });
    this.topics = topics;
    this.told = told;
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
      if (message.type === 'frame' && this.topics.includes(message.topic)) this.told(message.data, message);
    };
    socket.onclose = () => {
      this.socket = null;
      this.state(false);
      this.timer = this.world.setTimer(() => {
        this.timer = undefined;
        this.start();
      }, again);
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
