import { Renderer, methods } from '../../renderer/renderer.js';
import { ScenePlayer } from './scene-player.js';

/** Quanta between two reports to the page. */
const reportEvery = 37;
/** Objects that are heard at most: as many as a packet has. */
const mostObjects = 96;

/**
 * Renders a scene from the network on the audio thread. `port` of the first message is the way of the packets; the page's messages are
 * `head`, `listener`, `origin`, `follow`, `place`, `next` and `end`.
 */
class SceneProcessor extends AudioWorkletProcessor {
  #renderer;
  #player;
  #untilReport = 0;
  #tellsNext = false;
  #isEnded = false;

  constructor({ processorOptions: { bytes, rate } }) {
    super();
    this.#renderer = new Renderer(new WebAssembly.Module(bytes), { rate: sampleRate, objects: mostObjects });
    this.#player = new ScenePlayer(this.#renderer, rate);
    this.port.onmessage = ({ data }) => this.#take(data);
  }

  #take(message) {
    for (const [name, value] of Object.entries(message)) this.#attempt(() => this.#apply(name, value));
  }

  #attempt(action) {
    try {
      action();
    } catch (error) {
      this.port.postMessage({ problem: error.message });
    }
  }

  #apply(name, value) {
    switch (name) {
      case 'port': value.onmessage = ({ data }) => this.#take(data); return undefined;
      case 'packet': return this.#player.push(value);
      case 'array': return this.#player.addArray(value);
      case 'scale': return this.#player.setScale(value);
      case 'origin': return this.#player.followGroup(value);
      case 'follow': return this.#player.follow(value);
      case 'place': return this.#player.place(value);
      case 'head': return this.#renderer.setHead(...value);
      case 'listener': return this.#player.apply(value.sample ?? null, () => this.#attempt(() => this.#set(value)));
      case 'next': this.#tellsNext = Boolean(value); return undefined;
      case 'end': this.#isEnded = true; return undefined;
      default: throw new RangeError(`Unknown message “${name}”.`);
    }
  }

  /** Applies the settings that the engine has sent. */
  #set({ method, gain, mute, earAzimuth, front, fixedMicrophone, ceiling, crossover }) {
    if (methods.includes(method)) this.#renderer.method = method;
    this.#renderer.setListener({ gain: mute ? 0 : 10 ** (gain / 20), earAzimuth, front, fixedMicrophone, ceiling });
    this.#renderer.setCrossover(crossover);
  }

  process(_, [output]) {
    const ears = this.#player.render(output[0].length, currentTime);
    output.forEach((channel, side) => channel.set(ears[Math.min(side, 1)]));
    if (this.#tellsNext) {
      this.#tellsNext = false;
      this.port.postMessage({ rendered: currentFrame, at: Date.now() });
    }
    this.#untilReport -= 1;
    if (this.#untilReport <= 0) {
      this.#untilReport = reportEvery;
      const numbers = this.#player.numbers();
      const hasMicrophones = this.#renderer.channels > 0;
      const picture = hasMicrophones ? { weights: this.#renderer.weights(), microphones: this.#renderer.levels() } : undefined;
      if (numbers) this.port.postMessage({ numbers, picture });
    }
    return !this.#isEnded;
  }
}

registerProcessor('vestibule-scene', SceneProcessor);
