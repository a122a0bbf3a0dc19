/** Passes the sound of a microphone to the page, block by block, with its place on the context's clock. */
class MicrophoneProcessor extends AudioWorkletProcessor {
  #isEnded = false;

  constructor() {
    super();
    this.port.onmessage = () => { this.#isEnded = true; };
  }

  process([[sound]]) {
    if (sound) this.port.postMessage({ frame: currentFrame, sound: sound.slice() });
    return !this.#isEnded;
  }
}

registerProcessor('microphone', MicrophoneProcessor);
