import { digest } from './recording-package.js';

/** Attempts to fetch a chunk before the download pauses, and the time before the second one in milliseconds. */
const attempts = 4;
const firstWait = 500;

/** Waits for milliseconds, or until the signal. */
const pauseOf = (milliseconds, signal) => new Promise((done) => {
  const timer = setTimeout(done, milliseconds);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    done();
  }, { once: true });
});

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Stores a package chunk by chunk. Only chunks that are missing or damaged are fetched, so that it can stop and continue at any time. */
export class PackageDownload {
  #stop = null;
  #running = null;

  /**
   * @param source a `RecordingPackage` with a store
   * @param show called with { done, all, fetched, isRunning, problem } in bytes, whenever something changes
   */
  constructor(source, show) {
    this.source = source;
    this.show = show;
    this.done = 0;
    this.fetched = 0;
  }

  get isRunning() {
    return this.#stop !== null;
  }

  /** Stops; resolves when nothing is being written any more. */
  async pause() {
    this.#stop?.abort();
    await this.#running;
  }

  /** Stores everything that is missing; returns whether the package is complete. */
  async run() {
    if (this.isRunning) return false;
    this.#stop = new AbortController();
    this.#running = this.#run(this.#stop.signal);
    return this.#running;
  }

  async #run(signal) {
    let problem = null;
    try {
      await this.#store(signal);
    } catch (error) {
      if (!signal.aborted) problem = error.name === 'QuotaExceededError' ? await this.#full() : error.message;
    }
    this.#stop = null;
    this.#tell(problem);
    return problem === null && !signal.aborted;
  }

  /** Words about a store that is full. */
  async #full() {
    const { bytes, store } = this.source;
    const left = bytes - this.done;
    const free = await store.free?.() ?? 0;
    const missing = free < left ? left - free : left;
    return `The browser’s storage is full: ${megabytes(left)} of this recording are not stored yet, and ${megabytes(missing)} of space are `
      + 'missing. Delete stored recordings in the list below, or other files of this phone or computer.';
  }

  async #store(signal) {
    const { index, store } = this.source;
    this.done = 0;
    await store.write('index.json', new TextEncoder().encode(JSON.stringify(index)));
    for (const [number, chunk] of index.chunks.entries()) {
      if (signal.aborted) return;
      if (!await this.#isStored(chunk)) {
        const bytes = await this.#fetch(number, signal);
        await store.write(chunk.file, bytes);
        this.fetched += bytes.byteLength;
      }
      this.done += chunk.bytes;
      this.#tell();
    }
  }

  async #isStored({ file, bytes, sha256 }) {
    const stored = await this.source.store.read(file);
    return stored?.byteLength === bytes && await digest(stored) === sha256;
  }

  /** The bytes of a chunk; a network that fails is tried several times. */
  async #fetch(number, signal) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.source.chunk(number, { signal });
      } catch (error) {
        if (signal.aborted || attempt === attempts) throw error;
        await pauseOf(firstWait * 2 ** (attempt - 1), signal);
        if (signal.aborted) throw error;
      }
    }
  }

  #tell(problem = null) {
    this.show({ done: this.done, all: this.source.bytes, fetched: this.fetched, isRunning: this.isRunning, problem });
  }
}
