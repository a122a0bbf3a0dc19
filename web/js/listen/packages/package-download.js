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

/** Stores a package chunk by chunk. Only chunks that are missing or damaged are fetched, so that it can stop and go on at any time. */
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
      if (!signal.aborted) problem = error.message;
    }
    this.#stop = null;
    this.#tell(problem);
    return problem === null && !signal.aborted;
  }

  async #store(signal) {
    const { index, store } = this.source;
    this.done = 0;
    await store.write('index.json', new TextEncoder().encode(JSON.stringify(index)));
    for (const [number, chunk] of index.chunks.entries()) {
      if (signal.aborted) return;
      if (!await this.#isStored(chunk)) await this.#fetch(number, chunk, signal);
      this.done += chunk.bytes;
      this.#tell();
    }
  }

  async #isStored({ file, bytes, sha256 }) {
    const stored = await this.source.store.read(file);
    return stored?.byteLength === bytes && await digest(stored) === sha256;
  }

  async #fetch(number, { file }, signal) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const bytes = await this.source.chunk(number, { signal });
        await this.source.store.write(file, bytes);
        this.fetched += bytes.byteLength;
        return;
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
