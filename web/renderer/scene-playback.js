/** Length of the renderer's fades in seconds. */
const fade = 0.02;
/** Chunks kept behind the play position, so that a short step back needs none again. */
const keptBehind = 2;
/** Seconds kept ahead of the position to which a seek leads: what lies further ahead was loaded for another place. */
const keptAhead = 10;

/**
 * Plays the chunks of a recording through a renderer: gapless, looped, with a fade where a chunk is missing and around a seek.
 *
 * Frames are counted at the renderer's rate.
 */
export class ScenePlayback {
  #renderer;
  #chunks = new Map();
  #scene = null;
  #wantsPlay = false;
  #loops = true;
  /** Frame to continue at when the fade has ended; null for none. */
  #target = null;
  /** Frames of the current fade that are left to play. */
  #fading = 0;
  #isHeard = false;
  /** Recorded motion of the head, { interval, heads }; null for none. */
  #motion = null;
  /** Next frame of the recording. */
  position = 0;
  /** Times that the sound had to wait for a chunk. */
  waits = 0;
  /** Chunks that were refused. */
  dropped = 0;

  /** Called at the end of a recording that is not repeated. */
  onEnd = () => {};

  constructor(renderer) {
    this.#renderer = renderer;
  }

  /** Whether a chunk is missing while the sound should play. */
  get isWaiting() {
    return this.#wantsPlay && !this.#isHeard;
  }

  /** Numbers of the chunks that are ready. */
  get held() {
    return [...this.#chunks.keys()];
  }

  /** Opens a recording: { frames, chunkFrames, array }. Chunks of the previous one are forgotten. */
  open({ frames, chunkFrames, array }) {
    if (!(frames > 0) || !(chunkFrames >= 1024)) throw new RangeError('A recording has frames, and chunks of at least 1024 frames.');
    this.#renderer.setArray(array);
    this.#chunks.clear();
    this.#scene = { frames, chunkFrames, channels: array.azimuths.length };
    this.position = 0;
    this.#target = null;
    this.#fading = 0;
    this.#isHeard = false;
    this.#renderer.setPlaying(false);
  }

  /** Adds a chunk: interleaved samples from frame index * chunkFrames on. */
  add(index, samples) {
    const scene = this.#scene;
    const count = scene ? Math.ceil(scene.frames / scene.chunkFrames) : 0;
    const isLast = index === count - 1;
    const frames = scene && (isLast ? scene.frames - index * scene.chunkFrames : scene.chunkFrames);
    if (!Number.isInteger(index) || index < 0 || index >= count || !(samples instanceof Float32Array)
      || samples.length !== frames * scene.channels) {
      this.dropped += 1;
      return;
    }
    this.#chunks.set(index, samples);
  }

  play(isPlaying) {
    this.#wantsPlay = Boolean(isPlaying);
  }

  setLoop(isLooped) {
    this.#loops = Boolean(isLooped);
  }

  /** Continues at a frame, after a fade. */
  seek(frame) {
    if (!Number.isFinite(frame) || frame < 0) throw new RangeError(`A recording has no frame ${frame}.`);
    if (!this.#scene) return;
    this.#target = Math.min(Math.max(0, Math.floor(frame)), this.#scene.frames - 1);
  }

  /** Turns the head; ends a recorded motion. */
  setHead(head) {
    if (head?.length !== 4) throw new RangeError('A head is a quaternion w x y z.');
    this.#renderer.setHead(...head);
    this.#motion = null;
  }

  /**
   * Turns the head along a recorded motion, which follows the recording.
   *
   * @param motion { interval } frames, and { heads } a Float32Array of quaternions w x y z, one for each interval; null for none
   */
  setMotion(motion) {
    if (motion && !(motion.interval >= 1 && motion.heads instanceof Float32Array && motion.heads.length >= 4
      && motion.heads.every(Number.isFinite))) {
      throw new RangeError('A motion has an interval in frames and a row of quaternions.');
    }
    this.#motion = motion;
  }

  /** Renders a block and returns both ears. */
  render(frames) {
    if (this.#motion) this.#turn();
    if (this.#scene) this.#prepare(frames);
    return this.#renderer.render(frames);
  }

  #turn() {
    const { interval, heads } = this.#motion;
    const at = 4 * Math.min(Math.floor(this.position / interval), Math.floor(heads.length / 4) - 1);
    this.#renderer.setHead(heads[at], heads[at + 1], heads[at + 2], heads[at + 3]);
  }

  #prepare(frames) {
    const faded = Math.ceil((fade * this.#renderer.rate) / frames) * frames;
    const ahead = faded + frames;
    const isStill = !this.#isHeard && this.#fading <= 0;
    if (isStill && this.#target !== null) this.#jump();
    if (isStill && this.#wantsPlay && this.#isAtEnd(ahead)) this.#end();
    const canPlay = this.#wantsPlay && this.#target === null && this.#has(ahead);
    if (this.#isHeard && !canPlay) {
      if (this.#wantsPlay && this.#target === null && !this.#isAtEnd(ahead)) this.waits += 1;
      this.#isHeard = false;
      this.#fading = faded;
      this.#renderer.setPlaying(false);
    } else if (!this.#isHeard && canPlay && this.#fading <= 0) {
      this.#isHeard = true;
      this.#renderer.setPlaying(true);
    }
    if (this.#isHeard || this.#fading > 0) this.#fill(frames);
    if (this.#fading > 0) this.#fading -= frames;
  }

  #jump() {
    this.position = this.#target;
    this.#target = null;
    this.#forget();
    this.#forgetAhead();
  }

  /** Frees the chunks that are far ahead: each step back would add some. */
  #forgetAhead() {
    const { frames, chunkFrames } = this.#scene;
    const count = Math.ceil(frames / chunkFrames);
    const most = Math.ceil((keptAhead * this.#renderer.rate) / chunkFrames);
    const present = Math.floor(this.position / chunkFrames);
    for (const index of this.#chunks.keys()) {
      const ahead = (index - present + count) % count;
      if (ahead > most && count - ahead > keptBehind) this.#chunks.delete(index);
    }
  }

  #end() {
    this.#wantsPlay = false;
    this.position = 0;
    this.onEnd();
  }

  /** Whether the recording ends within so many frames and is not repeated. */
  #isAtEnd(frames) {
    return !this.#loops && this.position + frames > this.#scene.frames;
  }

  #has(frames) {
    const { frames: length, chunkFrames } = this.#scene;
    if (this.#isAtEnd(frames)) return false;
    let frame = this.position;
    let rest = frames;
    while (rest > 0) {
      const index = Math.floor(frame / chunkFrames);
      if (!this.#chunks.has(index)) return false;
      const end = Math.min(length, (index + 1) * chunkFrames);
      rest -= end - frame;
      frame = end % length;
    }
    return true;
  }

  /** Copies the next frames to the renderer; silence where there are none. */
  #fill(frames) {
    const { frames: length, chunkFrames, channels } = this.#scene;
    const input = this.#renderer.input(frames);
    let done = 0;
    while (done < frames) {
      const index = Math.floor(this.position / chunkFrames);
      const offset = this.position - index * chunkFrames;
      const end = Math.min(length, (index + 1) * chunkFrames);
      const count = Math.min(frames - done, end - this.position);
      const chunk = this.#chunks.get(index);
      for (let i = 0; i < count * channels; i += 1) input[done * channels + i] = chunk ? chunk[offset * channels + i] : 0;
      done += count;
      this.position += count;
      if (this.position < length) continue;
      this.position = 0;
      if (!this.#loops) this.#end();
    }
    if (Math.floor(this.position / chunkFrames) * chunkFrames > this.position - frames) this.#forget();
  }

  /** Frees the chunks that were played, unless the whole recording is small. */
  #forget() {
    const { frames, chunkFrames } = this.#scene;
    const count = Math.ceil(frames / chunkFrames);
    const present = Math.floor(this.position / chunkFrames);
    for (const index of this.#chunks.keys()) {
      const behind = (present - index + count) % count;
      if (behind > keptBehind && behind < count / 2) this.#chunks.delete(index);
    }
  }
}
