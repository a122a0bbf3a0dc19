/** Writes files of the origin private file system by a worker, for browsers whose pages cannot. */
export class StoreWriter {
  #worker = null;
  #waiting = new Map();
  #last = 0;

  /** Writes a file below folders; rejected with the reason. */
  write(folders, file, bytes) {
    this.#worker ??= this.#begin();
    this.#last += 1;
    const id = this.#last;
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail });
      this.#worker.postMessage({ id, folders, file, bytes });
    });
  }

  #begin() {
    const worker = new Worker(new URL('store-worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data: { id, problem, name } }) => {
      const { done, fail } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (problem === null) done();
      else fail(Object.assign(new Error(`The browser cannot store the recording: ${problem}.`), { name }));
    };
    worker.onerror = () => {
      for (const { fail } of this.#waiting.values()) fail(new Error('The browser cannot store the recording: its worker has stopped.'));
      this.#waiting.clear();
      this.#worker = null;
    };
    return worker;
  }
}
