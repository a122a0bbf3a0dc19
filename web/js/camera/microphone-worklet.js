/** Passes the samples of a microphone on in parts of 20 ms. */
class Microphone extends AudioWorkletProcessor {
  #part = new Float32Array(960);
  #filled = 0;

  process([[channel]]) {
    if (!channel) return true;
    for (let read = 0; read < channel.length;) {
      const count = Math.min(channel.length - read, this.#part.length - this.#filled);
      this.#part.set(channel.subarray(read, read + count), this.#filled);
      this.#filled += count;
      read += count;
      if (this.#filled < this.#part.length) continue;
      this.port.postMessage(this.#part.slice());
      this.#filled = 0;
    }
    return true;
  }
}

registerProcessor('microphone', Microphone);
