import { JitterBuffer } from '../playback/buffer/jitter-buffer.js';
import { ObjectChannels } from './object-channels.js';

/** Maximum number of packets whose array and objects are kept. */
const mostKept = 64;
/** Arrays that are kept. */
const mostArrays = 8;
/** Maximum number of pending settings, and their longest delay in seconds. */
const mostSettings = 64;
const longestWait = 2;
/** Largest block, frames. */
const longestBlock = 1024;
const silent = new Float32Array(longestBlock);

/**
 * Plays a scene from the network through a renderer: each packet stands at the engine's sample count, and what it contains about the array
 * and the objects applies when its sound is rendered.
 *
 * Independent of worklets and sockets.
 */
export class ScenePlayer {
  #renderer;
  #outputRate;
  #arrays = new Map();
  /** Packets whose beginning has not been played, the oldest first. */
  #coming = [];
  /** `{ buffer, microphones, sides }`. */
  #present = null;
  /** Decoder for the next set of microphones, used when this one is empty. */
  #next = null;
  /** The packets at the current place and before it. */
  #latest = null;
  #former = null;
  #channels;
  /** Slots that the renderer hears. */
  #heard = new Set();
  #outputs = [];
  #scale = 1;
  #array = null;
  /** Time at which sample 0 is to be played, and that at which it is to be heard behind the renderer, for a group. */
  #wanted = null;
  #wantedByGroup = null;
  /** `{ sample, set }` of settings that hold from a sample on. */
  #settings = [];
  #energy = 0;
  #frames = 0;
  /** Whether the latest packet had no sound, as without a recording. */
  #isEmpty = false;

  /**
   * @param renderer a `Renderer`
   * @param {number} rate frames per second of the packets
   */
  constructor(renderer, rate) {
    this.#renderer = renderer;
    this.rate = rate;
    this.#outputRate = renderer.rate;
    this.#channels = new ObjectChannels(renderer.objects);
    this.now = 0;
  }

  /** Takes the factor that the samples were multiplied by. */
  setScale(scale) {
    if (!(scale > 0 && scale <= 1)) throw new RangeError('A scale is above 0 and at most 1.');
    this.#scale = 1 / scale;
  }

  /** Takes the array of the packets that name its number. */
  addArray({ number, azimuths, radius, dead = [] }) {
    if (!Array.isArray(azimuths) || azimuths.length < 1 || azimuths.length > 64) throw new RangeError('An array has 1 to 64 microphones.');
    if (this.#arrays.size > mostArrays) this.#arrays.delete(this.#arrays.keys().next().value);
    this.#arrays.set(number, { azimuths, radius, gains: azimuths.map((_, i) => (dead.includes(i + 1) ? 0 : 1)) });
  }

  /** Takes a packet as `ScenePackets` decodes it. */
  push(packet) {
    const { start, frames, microphones, sides, sound, array, objects } = packet;
    const buffer = this.#bufferFor(microphones, sides);
    const fixed = microphones + sides;
    const silence = new Float32Array(frames);
    const heard = objects.map(({ number, direction }, i) =>
      ({ slot: this.#channels.channel(number), number, direction, sound: sound[fixed + i] })).filter(({ slot }) => slot >= 0);
    for (const { slot } of heard) while (buffer.frame.length <= fixed + slot) buffer.grow();
    const channels = Array.from({ length: buffer.frame.length }, (_, i) => (i < fixed ? sound[i] : silence));
    for (const { slot, sound: own } of heard) channels[fixed + slot] = own;
    this.#isEmpty = channels.length === 0;
    if (!this.#isEmpty) buffer.push(start, ...channels);
    this.#coming.push({ start, frames, array, objects: heard });
    if (this.#coming.length > mostKept) this.#coming.shift();
  }

  /** The buffer for packets with a number of microphones and sides of live input. */
  #bufferFor(microphones, sides) {
    const fits = (made) => made?.microphones === microphones && made?.sides === sides;
    if (!this.#next && fits(this.#present)) return this.#present.buffer;
    if (fits(this.#next)) return this.#next.buffer;
    const buffer = new JitterBuffer({ rate: this.rate, outputRate: this.#outputRate, channels: microphones + sides });
    buffer.now = this.now;
    buffer.wantedOrigin = this.#origin;
    const made = { buffer, microphones, sides };
    if (this.#present) this.#next = made;
    else this.#present = made;
    return buffer;
  }

  /** Time at which sample 0 is to be played, on the clock of `render`; null for as early as possible. */
  follow(origin) {
    this.#wanted = origin;
    this.#steer();
  }

  /** Time at which sample 0 is to be heard, behind the renderer; null without a group. */
  followGroup(origin) {
    this.#wantedByGroup = origin;
    this.#steer();
  }

  /** Starts again at a time as `follow` takes it, for sound that is not heard yet. */
  place(origin) {
    this.#wanted = origin;
    for (const made of [this.#present, this.#next]) made?.buffer.place(this.#origin);
  }

  get #origin() {
    return this.#wantedByGroup === null ? this.#wanted : this.#wantedByGroup - this.#renderer.latency / this.#outputRate;
  }

  #steer() {
    for (const made of [this.#present, this.#next]) if (made) made.buffer.wantedOrigin = this.#origin;
  }

  /**
   * Calls `set` when the sound at the engine's sample count is rendered: at once without one, and while nothing plays.
   *
   * @param {number | null} sample
   */
  apply(sample, set) {
    if (this.#settings.length === mostSettings) this.#settings.shift().set();
    this.#settings.push({ sample, set });
    this.#applySettings();
  }

  #applySettings() {
    const isPlaying = this.#present?.buffer.isPlaying;
    const last = this.sample + longestWait * this.rate;
    while (this.#settings.length > 0) {
      const [{ sample, set }] = this.#settings;
      if (isPlaying && sample !== null && sample > this.sample && sample < last) return;
      this.#settings.shift();
      set();
      // Methods differ in the time that they take.
      this.#steer();
    }
  }

  /**
   * Renders a block and returns both ears.
   *
   * @param {number} frames a multiple of 16
   * @param {number} [time] seconds of the output's clock at the first frame
   */
  render(frames, time = this.now) {
    this.now = time;
    this.#change(frames);
    if (this.#present) this.#play(frames, time);
    this.now += frames / this.#outputRate;
    const ears = this.#renderer.render(frames);
    for (const ear of ears) for (let frame = 0; frame < frames; frame += 1) this.#energy += ear[frame] ** 2 / 2;
    this.#frames += frames;
    return ears;
  }

  /** Goes on with the sound of other microphones when the current one has been played. */
  #change(frames) {
    if (!this.#next || this.#present.buffer.delay * this.rate >= frames) return;
    this.#present = this.#next;
    this.#next = null;
  }

  #play(frames, time) {
    const { buffer, microphones, sides } = this.#present;
    buffer.now = time;
    while (this.#outputs.length < buffer.frame.length) this.#outputs.push(new Float32Array(longestBlock));
    const outputs = this.#outputs.slice(0, buffer.frame.length).map((output) => output.subarray(0, frames));
    if (this.#settings.length > 0) this.#applySettings();
    // Without a recording there is no channel.
    if (outputs.length > 0) buffer.pull(...outputs);
    if (buffer.isPlaying) this.#apply();
    const { channels } = this.#renderer;
    if (microphones > 0 && channels === microphones) this.#fill(outputs, microphones, frames);
    // There the samples of the block before are.
    else if (channels > 0) this.#renderer.input(frames).fill(0);
    this.#renderer.setLive(sides > 0);
    if (sides > 0) this.#renderer.liveInput(frames).forEach((side, i) => this.#copy(side, outputs[microphones + i]));
    this.#place(outputs, microphones + sides, frames);
  }

  /** The engine's sample count at the current place. */
  get sample() {
    const { base = 0, position = 0, shift = 0 } = this.#present?.buffer ?? {};
    return base + position - shift;
  }

  /** Applies what the packet at the current place says. */
  #apply() {
    while (this.#coming.length > 0 && this.#coming[0].start <= this.sample) {
      this.#former = this.#latest;
      this.#latest = this.#coming.shift();
    }
    const array = this.#arrays.get(this.#latest?.array);
    if (!array || array === this.#array || array.azimuths.length !== this.#present.microphones) return;
    this.#renderer.setArray(array);
    this.#renderer.setPlaying(true);
    this.#array = array;
  }

  #fill(outputs, microphones, frames) {
    const input = this.#renderer.input(frames);
    for (let channel = 0; channel < microphones; channel += 1) {
      const output = outputs[channel];
      for (let frame = 0, at = channel; frame < frames; frame += 1, at += microphones) input[at] = output[frame] * this.#scale;
    }
  }

  #copy(target, output) {
    for (let frame = 0; frame < target.length; frame += 1) target[frame] = output[frame] * this.#scale;
  }

  /** Gives the renderer the objects, on their way from the direction in one packet to that in the next. */
  #place(outputs, first, frames) {
    if (!this.#latest) return;
    const { start, frames: length, objects } = this.#latest;
    const share = Math.max(0, Math.min(1, (this.sample - start) / length));
    const before = new Map((this.#former?.objects ?? []).map(({ number, direction }) => [number, direction]));
    const slots = new Set(objects.map(({ slot }) => slot));
    for (const slot of this.#heard) if (!slots.has(slot)) this.#renderer.streamObject(slot, null);
    for (const { slot, number, direction } of objects) {
      const from = before.get(number) ?? direction;
      const mixed = direction.map((value, axis) => from[axis] + (value - from[axis]) * share);
      const size = Math.hypot(...mixed);
      this.#renderer.streamObject(slot, size > 0.1 ? mixed.map((value) => value / size) : direction);
      this.#copy(this.#renderer.objectInput(slot, frames), outputs[first + slot] ?? silent.subarray(0, frames));
    }
    this.#heard = slots;
    this.#channels.keep(new Set([this.#latest, ...this.#coming].flatMap((packet) => packet.objects.map(({ number }) => number))));
  }

  /** Numbers of the player since its beginning, as `Player` reports them; `rms` since the last call. */
  numbers() {
    const buffer = this.#present?.buffer;
    const rms = this.#frames > 0 ? Math.sqrt(this.#energy / this.#frames) : 0;
    this.#energy = 0;
    this.#frames = 0;
    if (!buffer) return null;
    return {
      playing: buffer.isPlaying, isEmpty: this.#isEmpty, rms, packets: buffer.packets, dropped: buffer.lost, late: buffer.late,
      refused: buffer.refused,
      underruns: buffer.underruns, overruns: buffer.overruns, concealedMilliseconds: (1000 * buffer.madeUp) / buffer.rate,
      longestGapMilliseconds: (1000 * buffer.longestGap) / buffer.rate, bufferMilliseconds: 1000 * buffer.delay,
      packetMilliseconds: (1000 * buffer.packetLength) / buffer.rate,
      targetMilliseconds: 1000 * buffer.target, drift: buffer.driftPpm, off: buffer.wantedOrigin === null ? null : buffer.excess,
      origin: buffer.origin, latency: this.#renderer.latency / this.#outputRate,
    };
  }
}
