/** Seconds of sound that are kept ready. */
const ahead = 8;
/** Time in milliseconds after which a chunk that was not heard of is sent again. */
const patience = 2000;

const renderer = new URL('../../../renderer/', import.meta.url);

/** Plays a packed recording through the renderer in an AudioWorklet. */
export class SceneSound {
  #sent = new Map();
  #isLoading = false;
  #decoder;
  #isClosed = false;
  /** Number of the chunk that could not be had; null for none. */
  #missing = null;

  /**
   * @param context an AudioContext of the recording's rate, which stays open
   * @param source a `RecordingPackage`
   * @param show called with every report of the worklet, and with { problem } when a chunk cannot be had, null once it can
   */
  constructor(context, source, show) {
    this.context = context;
    this.source = source;
    this.show = show;
    this.position = 0;
    this.#decoder = new OfflineAudioContext(1, 1, source.index.rate);
  }

  /** Starts the renderer. */
  async open() {
    const [bytes] = await Promise.all([this.#module(), this.context.audioWorklet.addModule(new URL('worklet.js', renderer))]);
    this.node = new AudioWorkletNode(this.context, 'vestibule-renderer', {
      numberOfInputs: 0, outputChannelCount: [2], processorOptions: { bytes },
    });
    this.node.port.onmessage = ({ data }) => this.#take(data);
    this.node.onprocessorerror = () => this.show({ problem: 'The renderer has stopped. Reload the page.' });
    this.node.connect(this.context.destination);
    const { frames, chunkFrames, array } = this.source.index;
    this.post({ scene: { frames, chunkFrames, array }, picture: true });
    this.#load([]);
  }

  async #module() {
    const answer = await fetch(new URL('renderer.wasm', renderer));
    if (!answer.ok) throw new Error('This server has no renderer for browsers: build it with “make renderer”.');
    return answer.arrayBuffer();
  }

  /** Sends a message to the renderer: web/renderer/README.md lists them. */
  post(message, transfer = []) {
    this.node.port.postMessage(message, transfer);
  }

  /** Continues at a time in seconds. */
  seek(seconds) {
    this.position = Math.min(Math.max(0, Math.floor(seconds * this.source.index.rate)), this.source.index.frames - 1);
    this.post({ seek: this.position });
  }

  close() {
    this.#isClosed = true;
    this.node?.port.postMessage({ end: true });
    this.node?.disconnect();
  }

  #take(report) {
    if (report.rendered !== undefined) return;
    if (report.problem || report.hasEnded) {
      this.show(report);
      return;
    }
    this.position = report.position;
    this.show(report);
    this.#load(report.held);
  }

  /** Chunks that should be ready, the next one first. */
  #wanted() {
    const { chunkFrames, chunks, rate } = this.source.index;
    const first = Math.floor(this.position / chunkFrames);
    const count = Math.min(chunks.length, Math.ceil((ahead * rate) / chunkFrames));
    return Array.from({ length: count }, (_, i) => (first + i) % chunks.length);
  }

  async #load(held) {
    for (const number of held) this.#sent.delete(number);
    const now = performance.now();
    for (const [number, since] of this.#sent) if (now - since > patience) this.#sent.delete(number);
    if (this.#isLoading || this.#isClosed) return;
    const number = this.#wanted().find((each) => !held.includes(each) && !this.#sent.has(each));
    if (number === undefined) return;
    this.#isLoading = true;
    try {
      const samples = await this.source.decode(number, await this.source.chunk(number), this.#decoder);
      if (!this.#isClosed) this.post({ chunk: { index: number, samples } }, [samples.buffer]);
      this.#sent.set(number, performance.now());
      // Not for another chunk that is sent again while the missing one is still wanted, as it is not after a seek.
      if (this.#missing !== null && (this.#missing === number || !this.#wanted().includes(this.#missing))) {
        this.#missing = null;
        if (!this.#isClosed) this.show({ problem: null });
      }
    } catch (error) {
      this.#missing = number;
      if (this.#isClosed) return;
      this.show({ problem: error.message });
      await new Promise((done) => setTimeout(done, patience));
    }
    this.#isLoading = false;
  }
}
