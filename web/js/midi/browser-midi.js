/**
 * MIDI ports of this browser, by Web MIDI: their channel messages go to `send(bytes)`, three numbers each.
 *
 * `state` is `off`, `on`, `refused` or `missing`; `onChange` is called when it or `names` changes.
 */
export class BrowserMidi {
  #access = null;

  constructor(send, navigator = globalThis.navigator) {
    this.send = send;
    this.navigator = navigator;
    this.state = typeof navigator?.requestMIDIAccess === 'function' ? 'off' : 'missing';
    this.onChange = () => {};
  }

  /** Names of the connected ports. */
  get names() {
    return [...this.#access?.inputs.values() ?? []].filter(({ state }) => state !== 'disconnected').map(({ name }) => name);
  }

  /** Asks the browser for its ports and listens to them, including those that are connected later. */
  async start() {
    if (this.state === 'missing' || this.#access) return;
    try {
      this.#access = await this.navigator.requestMIDIAccess({ sysex: false });
    } catch {
      this.#become('refused');
      return;
    }
    this.#access.onstatechange = () => this.#listen();
    this.#listen();
  }

  stop() {
    for (const input of this.#access?.inputs.values() ?? []) input.onmidimessage = null;
    if (this.#access) this.#access.onstatechange = null;
    this.#access = null;
    if (this.state === 'on') this.#become('off');
  }

  #listen() {
    for (const input of this.#access.inputs.values()) input.onmidimessage = ({ data }) => this.#take(data);
    this.#become('on');
  }

  /** Passes channel messages on; clock and system messages stay here. */
  #take(data) {
    if (data.length > 1 && data[0] >= 0x80 && data[0] < 0xF0) this.send([data[0], data[1], data[2] ?? 0]);
  }

  #become(state) {
    this.state = state;
    this.onChange();
  }
}
