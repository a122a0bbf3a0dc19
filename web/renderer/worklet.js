import { Renderer } from './renderer.js';
import { ScenePlayback } from './scene-playback.js';

/** Quanta between two reports to the page. */
const reportEvery = 12;

/**
 * The renderer on the audio thread of a browser. Options and messages are in README.md; every message is an object of which each member
 * is one order.
 */
class RendererProcessor extends AudioWorkletProcessor {
  #renderer;
  #playback;
  #untilReport = 0;
  #wantsPicture = false;
  #tellsNext = false;
  #isEnded = false;

  constructor({ processorOptions: { bytes, objects = 0 } }) {
    super();
    this.#renderer = new Renderer(new WebAssembly.Module(bytes), { rate: sampleRate, objects });
    this.#playback = new ScenePlayback(this.#renderer);
    this.#playback.onEnd = () => this.port.postMessage({ hasEnded: true });
    this.port.onmessage = ({ data }) => this.#take(data);
  }

  #take(orders) {
    for (const [name, value] of Object.entries(orders ?? { nothing: true })) {
      try {
        this.#obey(name, value);
      } catch (error) {
        this.port.postMessage({ problem: error.message });
      }
    }
  }

  #obey(name, value) {
    switch (name) {
      case 'scene': return this.#playback.open(value);
      case 'chunk': return this.#playback.add(value.index, value.samples);
      case 'playing': return this.#playback.play(value);
      case 'seek': return this.#playback.seek(value);
      case 'loop': return this.#playback.setLoop(value);
      case 'head': return this.#playback.setHead(value);
      case 'motion': return this.#playback.setMotion(value);
      case 'method': this.#renderer.method = value; return undefined;
      case 'listener': return this.#renderer.setListener(value);
      case 'crossover': return this.#renderer.setCrossover(value);
      case 'object': return this.#renderer.setObject(value.index, value);
      case 'sound': return this.#renderer.setSound(value.index, value.samples);
      case 'report': return this.#report();
      case 'next': this.#tellsNext = Boolean(value); return undefined;
      case 'end': this.#isEnded = true; return undefined;
      case 'picture': this.#wantsPicture = value; return undefined;
      default: throw new RangeError(`Unknown order “${name}”.`);
    }
  }

  process(inputs, [output]) {
    const frames = output[0].length;
    const ears = this.#playback.render(frames);
    output.forEach((channel, side) => channel.set(ears[Math.min(side, 1)]));
    if (this.#tellsNext) {
      this.#tellsNext = false;
      this.port.postMessage({ rendered: currentFrame, at: Date.now() });
    }
    this.#untilReport -= 1;
    if (this.#untilReport <= 0) this.#report();
    return !this.#isEnded;
  }

  #report() {
    this.#untilReport = reportEvery;
    const { position, held, isWaiting, waits, dropped } = this.#playback;
    const { crossover, latency, peaks } = this.#renderer;
    this.port.postMessage({
      position, held, isWaiting, waits, dropped, peaks, latency, crossover, time: currentTime,
      ...(this.#wantsPicture && this.#renderer.channels > 0
        ? { weights: this.#renderer.weights(), microphones: this.#renderer.levels() } : {}),
    });
  }
}

registerProcessor('vestibule-renderer', RendererProcessor);
