/**
 * One listener of a motion-tracked binaural recording, rendered by the engine's own code as WebAssembly: microphones in, head pose in,
 * two ears out. Runs in a page, a worker, an AudioWorklet and Node. README.md describes it.
 */

/** Version of the module's functions that this file calls. */
const version = 1;
/** Most microphones of an array, and the distance between two kinds of weights. */
const capacity = 64;
/** Largest block, frames. */
export const largestBlock = 1024;

/** Methods that a browser offers, in the order of their numbers in the module. `personal` needs an HRTF and stays with the engine. */
export const methods = ['nearest', 'linear', 'two-band-fixed', 'two-band', 'two-band-spectral', 'ring', 'ring-spectral'];

export class Renderer {
  #at;
  #module;
  #channels = 0;
  #listener = { gain: 1, earAzimuth: 90, front: 0, fixedMicrophone: 1, ceiling: -1 };
  #method = 'ring-spectral';

  /**
   * @param module a compiled WebAssembly.Module of renderer.wasm
   * @param options { rate } frames per second, 8000 to 192,000, and { objects } the number of sound objects, 0 to 128
   */
  constructor(module, { rate, objects = 0 }) {
    const { exports } = new WebAssembly.Instance(module, {});
    if (exports.renderer_version() !== version) {
      throw new Error(`renderer.wasm has version ${exports.renderer_version()} and renderer.js ${version}: take both from one release.`);
    }
    this.#module = exports;
    this.#at = exports.renderer_create(rate, objects);
    if (!this.#at) throw new RangeError(`A renderer has a rate of 8000 to 192000 and 0 to 128 objects, not ${rate} and ${objects}.`);
    this.rate = rate;
    this.objects = objects;
    this.#apply();
  }

  /** Compiles renderer.wasm from its bytes. */
  static compile(bytes) {
    return WebAssembly.compile(bytes);
  }

  /** Number of microphones; 0 without an array. */
  get channels() {
    return this.#channels;
  }

  /**
   * Sets the microphones. Allocates and computes for some milliseconds: before the sound begins, or at the price of a late block.
   *
   * @param array { azimuths } in degrees, positive to the left, one per channel; { radius } in metres; { gains } factors, negative for
   *   an inverted capsule and 0 for a dead one; { delays } in samples. Gains and delays may be missing.
   */
  setArray({ azimuths, radius = 0.0875, gains = [], delays = [] }) {
    if (azimuths.length < 1 || azimuths.length > capacity) throw new RangeError('An array has 1 to 64 microphones.');
    const numbers = this.#floats(this.#module.renderer_array(this.#at), 3 * capacity);
    azimuths.forEach((azimuth, i) => {
      numbers[i] = azimuth;
      numbers[capacity + i] = gains[i] ?? 1;
      numbers[2 * capacity + i] = delays[i] ?? 0;
    });
    if (!this.#module.renderer_set_array(this.#at, azimuths.length, radius)) {
      throw new RangeError('Azimuths are finite and differ, the radius is 0.01 to 1 m, gains are at most 100, delays 0 to 64 samples.');
    }
    this.#channels = azimuths.length;
  }

  /** Turns the head: a quaternion w x y z, head to world (front, left, up). It applies from the next block on. */
  setHead(w, x, y, z) {
    this.#module.renderer_set_head(this.#at, w, x, y, z);
  }

  get method() {
    return this.#method;
  }

  set method(name) {
    const number = methods.indexOf(name);
    if (number < 0) throw new RangeError(`No method ${name}: a browser offers ${methods.join(', ')}.`);
    this.#module.renderer_set_method(this.#at, number);
    this.#method = name;
  }

  /**
   * Sets some of the listener's settings: { gain } a factor, { earAzimuth } and { front } in degrees, { fixedMicrophone } from 1,
   * { ceiling } the true-peak limit in dB, or null for none.
   */
  setListener(settings) {
    const former = this.#listener;
    this.#listener = { ...former, ...settings };
    if (this.#apply()) return;
    this.#listener = former;
    throw new RangeError(`A listener cannot have ${JSON.stringify(settings)}.`);
  }

  #apply() {
    const { gain, earAzimuth, front, fixedMicrophone, ceiling } = this.#listener;
    const factor = ceiling === null ? 0 : 10 ** (ceiling / 20);
    return this.#module.renderer_set_listener(this.#at, gain, earAzimuth, front, fixedMicrophone - 1, factor) === 1;
  }

  /** Sets the crossover in hertz; 0 is each method's own rule. */
  setCrossover(hertz) {
    if (!this.#module.renderer_set_crossover(this.#at, hertz)) throw new RangeError(`A crossover cannot be ${hertz} Hz.`);
  }

  /** Plays or pauses, with a fade of 20 ms. */
  setPlaying(isPlaying) {
    this.#module.renderer_set_playing(this.#at, isPlaying ? 1 : 0);
  }

  /** Places an object, counted from 0: degrees, degrees, metres, factor. */
  setObject(index, { azimuth = 0, elevation = 0, distance = 1, gain = 1 }) {
    if (!this.#module.renderer_set_object(this.#at, index, azimuth, elevation, distance, gain)) {
      throw new RangeError(`Object ${index} cannot be at ${azimuth}, ${elevation} degrees and ${distance} m with gain ${gain}.`);
    }
  }

  /** Gives an object a looped sound: a Float32Array at the renderer's rate. */
  setSound(index, samples) {
    const memory = this.#module.renderer_allocate(Math.max(1, samples.length));
    if (!memory) throw new RangeError('A sound has at most 64 million samples.');
    this.#floats(memory, samples.length).set(samples);
    const isTaken = this.#module.renderer_set_sound(this.#at, index, memory, samples.length);
    this.#module.renderer_free(memory);
    if (!isTaken) throw new RangeError(`There is no object ${index}.`);
  }

  /** Memory for `frames` interleaved frames of the next block; valid until the next call of anything else. */
  input(frames) {
    return this.#floats(this.#module.renderer_input(this.#at), frames * this.#channels);
  }

  /** Renders the block in `input`: 16 to 1024 frames, a multiple of 16. Returns [left, right], valid until the next call. */
  render(frames) {
    if (!this.#module.renderer_render(this.#at, frames)) throw new RangeError(`A block has 16 to 1024 frames in sixteens, not ${frames}.`);
    return [0, 1].map((side) => this.#floats(this.#module.renderer_ear(this.#at, side), frames));
  }

  /** Samples from the recording to the ears. */
  get latency() {
    return this.#module.renderer_latency(this.#at);
  }

  /** Present crossover in hertz; 0 for a method without one. */
  get crossover() {
    return this.#module.renderer_crossover(this.#at);
  }

  /** Peaks of both ears in the last block. */
  get peaks() {
    return [0, 1].map((side) => this.#module.renderer_peak(this.#at, side));
  }

  /** Present weights of the microphones: { low, high }, the left ear's before the right ear's. */
  weights() {
    const all = this.#floats(this.#module.renderer_weights(this.#at), 4 * capacity);
    const row = (index) => all.slice(index * capacity, index * capacity + this.#channels);
    const join = (one, other) => Float32Array.of(...row(one), ...row(other));
    return { low: join(0, 1), high: join(2, 3) };
  }

  /** Levels of the microphones since the last call: { peaks, rms }. */
  levels() {
    const all = this.#floats(this.#module.renderer_levels(this.#at), 2 * capacity);
    return { peaks: all.slice(0, this.#channels), rms: all.slice(capacity, capacity + this.#channels) };
  }

  /** Frees the renderer. It cannot be used afterwards. */
  close() {
    this.#module.renderer_destroy(this.#at);
    this.#at = 0;
  }

  #floats(at, count) {
    return new Float32Array(this.#module.memory.buffer, at, count);
  }
}
