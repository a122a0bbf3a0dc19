/**
 * One listener of a motion-tracked binaural recording, rendered by the engine's own code as WebAssembly: microphones in, head pose in,
 * two ears out. Runs in a page, a worker, an AudioWorklet and Node. README.md describes it.
 */

import { lowestCeiling, standardRadius } from './constants.js';
import { allMethods } from './methods.js';

/** Version of the module's functions that this file calls. */
const version = 2;
/** Most microphones of an array, and the distance between two kinds of weights. */
const capacity = 64;
/** Largest block, frames. */
const largestBlock = 1024;

/** Methods that a browser offers: all but those that need an HRTF, which only the engine has. */
const offered = allMethods.filter(({ needsHRTF }) => !needsHRTF);
export const methods = offered.map(({ name }) => name);

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
      throw new Error(`renderer.wasm has version ${exports.renderer_version()} and renderer.js ${version}: use both from one release.`);
    }
    this.#module = exports;
    this.#at = Number.isInteger(objects) ? exports.renderer_create(rate, objects) : 0;
    if (!this.#at) throw new RangeError(`A renderer has a rate of 8000 to 192000 and 0 to 128 objects, not ${rate} and ${objects}.`);
    this.rate = rate;
    this.objects = objects;
    this.#apply(this.#listener);
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
  setArray({ azimuths, radius = standardRadius, gains = [], delays = [] }) {
    if (!Array.isArray(azimuths) && !(azimuths instanceof Float32Array)) throw new RangeError('An array has a list of azimuths.');
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
    const length = Math.hypot(w, x, y, z);
    if (!(length > 0.8 && length < 1.4)) throw new RangeError('A head is a quaternion of length 1.');
    this.#module.renderer_set_head(this.#at, w, x, y, z);
  }

  get method() {
    return this.#method;
  }

  set method(name) {
    const method = offered.find((each) => each.name === name);
    if (!method) throw new RangeError(`No method ${name}: a browser offers ${methods.join(', ')}.`);
    if (!this.#module.renderer_set_method(this.#at, method.number)) throw new RangeError(`renderer.wasm has no method ${name}.`);
    this.#method = name;
  }

  /**
   * Sets some of the listener's settings: { gain } a factor, { earAzimuth } and { front } in degrees, { fixedMicrophone } from 1,
   * { ceiling } the true-peak limit in dB, or null for none.
   */
  setListener(settings) {
    const next = { ...this.#listener, ...settings };
    const { gain, earAzimuth, front, fixedMicrophone, ceiling } = next;
    if (![gain, earAzimuth, front].every(Number.isFinite) || !Number.isInteger(fixedMicrophone)
      || !(ceiling === null || (ceiling >= lowestCeiling && ceiling <= 0)) || !this.#apply(next)) {
      throw new RangeError('A listener has a gain of 0 to 16, ears at 0 to 180 degrees, a front within 360 degrees, a microphone '
        + `from 1 to 64, and a ceiling of ${lowestCeiling} to 0 dB or null.`);
    }
    this.#listener = next;
  }

  #apply({ gain, earAzimuth, front, fixedMicrophone, ceiling }) {
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

  #checkObject(index) {
    if (!Number.isInteger(index) || index < 0 || index >= this.objects) throw new RangeError(`There is no object ${index}.`);
  }

  /** Places an object, counted from 0: degrees, degrees, metres, factor. */
  setObject(index, { azimuth = 0, elevation = 0, distance = 1, gain = 1 }) {
    this.#checkObject(index);
    if (!this.#module.renderer_set_object(this.#at, index, azimuth, elevation, distance, gain)) {
      throw new RangeError(`Object ${index} cannot be at ${azimuth}, ${elevation} degrees and ${distance} m with gain ${gain}.`);
    }
  }

  /** Gives an object a looped sound: a Float32Array at the renderer's rate. */
  setSound(index, samples) {
    this.#checkObject(index);
    if (!(samples instanceof Float32Array)) throw new RangeError('A sound is a Float32Array.');
    const memory = this.#module.renderer_allocate(Math.max(1, samples.length));
    if (!memory) throw new RangeError('A sound has at most 64 million samples.');
    this.#floats(memory, samples.length).set(samples);
    const isTaken = this.#module.renderer_set_sound(this.#at, index, memory, samples.length);
    this.#module.renderer_free(memory);
    if (!isTaken) throw new RangeError(`There is no object ${index}.`);
  }

  /**
   * Places an object whose sound comes with the blocks, in a direction front, left, up; null silences it. Once this was called, sounds
   * of `setSound` are not heard.
   */
  streamObject(index, direction) {
    this.#checkObject(index);
    const [x, y, z] = direction ?? [1, 0, 0];
    if (!this.#module.renderer_stream_object(this.#at, index, x, y, z, direction ? 1 : 0)) {
      throw new RangeError('A direction is a vector of length 1.');
    }
  }

  /** Memory for `frames` frames of such an object in the next block; valid until the next call of anything else. */
  objectInput(index, frames) {
    this.#checkObject(index);
    this.#check(frames);
    return this.#floats(this.#module.renderer_object_input(this.#at, index), frames);
  }

  /** Memory for [left, right] of `frames` frames of live input, which is heard as it is; `setLive` turns it on. */
  liveInput(frames) {
    this.#check(frames);
    return [0, 1].map((side) => this.#floats(this.#module.renderer_live_input(this.#at, side), frames));
  }

  /** Says whether the blocks have live input. */
  setLive(isLive) {
    this.#module.renderer_set_live(this.#at, isLive ? 1 : 0);
  }

  /** Memory for `frames` interleaved frames of the next block; valid until the next call of anything else. */
  input(frames) {
    this.#check(frames);
    return this.#floats(this.#module.renderer_input(this.#at), frames * this.#channels);
  }

  /** Renders the block in `input`: 16 to 1024 frames, a multiple of 16. Returns [left, right], valid until the next call. */
  render(frames) {
    this.#check(frames);
    this.#module.renderer_render(this.#at, frames);
    return [0, 1].map((side) => this.#floats(this.#module.renderer_ear(this.#at, side), frames));
  }

  #check(frames) {
    if (!this.#at) throw new Error('This renderer is closed.');
    if (!Number.isInteger(frames) || frames < 16 || frames > largestBlock || frames % 16 !== 0) {
      throw new RangeError(`A block has 16 to ${largestBlock} frames in sixteens, not ${frames}.`);
    }
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
