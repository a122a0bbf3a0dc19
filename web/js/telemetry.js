const again = 2000;

/**
 * One topic of the telemetry WebSocket, as JSON, for as long as it is wanted; comes back by itself.
 *
 * `world` is what a Connection is given.
 */
export class Telemetry {
  /** @param told called with what each frame of the topic says */
  constructor(world, topic, rate, told) {
    this.world = world;
    this.request = JSON.stringify({ type: 'subscribe', topics: [topic], rate });
    this.topic = topic;
    this.told = told;
    this.socket = null;
    this.timer = undefined;
  }

  start() {
    if (this.socket || this.timer !== undefined) return;
    const socket = this.world.socket(`${this.world.origin.replace(/^http/, 'ws')}/`, 'vestibule.telemetry.v1');
    this.socket = socket;
    socket.onopen = () => socket.send(this.request);
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === 'frame' && message.topic === this.topic) this.told(message.data);
    };
    socket.onclose = () => {
      this.socket = null;
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
