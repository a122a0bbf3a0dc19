/** Bytes of a part: what is sent again at most when a connection is lost. */
const partSize = 4 * 2 ** 20;
/** Milliseconds until the first further attempt, and at most; each one waits twice as long as the one before. */
const patience = { first: 500, longest: 15_000 };
const version = { 'Tus-Resumable': '1.0.0' };
/** Statuses after which a part may be sent again. */
const transient = new Set([409, 423, 460, 503]);
/** Statuses of a file that was received and refused. */
const refusals = new Set([409, 422, 460, 500]);
/** The status of a full disk: the engine continues from the same place when there is room. */
const full = 507;
/** Kinds of files that are stored among the recordings. */
const besideRecordings = new Set(['videos', 'sidecars']);

const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/**
 * A file on its way to the engine by the tus protocol 1.0.0: in parts with checksums, continued by itself after a lost connection, and
 * after a reload of the page when the same file is chosen again.
 */
export class TusUpload {
  #address = null;
  /** Bytes that have arrived; null while that is not known. */
  #offset = null;
  /** The same as it was known last, for display. */
  #known = 0;
  #isPaused = false;
  #isEnded = false;
  /** Whether the last part was sent, and no answer has come. */
  #isLastSent = false;
  #wait = patience.first;
  #abort = null;

  /**
   * @param file a `File`
   * @param kind name of the kind of files
   * @param world `fetch`, `digest` (a promise of the SHA-256 of an ArrayBuffer), `memory` (a `Storage`), `later(function, milliseconds)`,
   *   and bytes of a part, unless 4 MiB, as `partSize`
   * @param events `progress(share, words)`, `done(name)`, `refused(text, status)`, `interrupted(text)` when only `start` continues it
   */
  constructor(file, kind, world, events) {
    Object.assign(this, { file, kind, world, events });
    this.replaces = false;
  }

  /** Key under which this file's upload is stored. */
  get #key() {
    return `upload ${this.kind} ${this.file.name} ${this.file.size} ${this.file.lastModified}`;
  }

  get isPaused() {
    return this.#isPaused;
  }

  /** Begins or continues. */
  async start() {
    this.#isPaused = false;
    this.#wait = patience.first;
    this.#address ??= this.world.memory?.getItem(this.#key) ?? null;
    while (this.#isActive) {
      const isFurther = await this.#step().catch(() => {
        // The connection was lost, or the engine has ended.
        this.#offset = null;
        return false;
      });
      if (!this.#isActive) return;
      if (isFurther) this.#wait = patience.first;
      else await this.#rest();
    }
  }

  get #isActive() {
    return !this.#isPaused && !this.#isEnded;
  }

  /** Stops after what has been sent; `start` continues. */
  pause() {
    this.#isPaused = true;
    this.#abort?.abort();
    this.#tell('Paused');
    this.#offset = null;
  }

  /** Pauses because the engine can take no more for now. */
  #interrupt(text) {
    this.pause();
    this.events.interrupted(text.trim());
  }

  /** Ends the upload; what was sent is removed. */
  async cancel() {
    this.#end();
    this.#abort?.abort();
    if (this.#address) await this.world.fetch(this.#address, { method: 'DELETE', headers: version }).catch(() => {});
  }

  #end() {
    this.#isEnded = true;
    this.world.memory?.removeItem(this.#key);
  }

  #tell(words) {
    this.#known = this.#offset ?? this.#known;
    this.events.progress(this.#known / this.file.size, words);
  }

  async #rest() {
    this.#tell('Waiting for the engine');
    await new Promise((done) => this.world.later(done, this.#wait));
    this.#wait = Math.min(patience.longest, 2 * this.#wait);
  }

  #refuse(text, status) {
    this.#end();
    this.events.refused(text.trim() || `status ${status}`, status);
  }

  #done() {
    this.#end();
    this.events.progress(1, 'Stored');
    this.events.done(this.file.name);
  }

  /** @returns whether the next step can follow at once */
  #step() {
    if (!this.#address) return this.#create();
    return this.#offset === null ? this.#look() : this.#sendPart();
  }

  async #create() {
    const text = (value) => base64(new TextEncoder().encode(value));
    const metadata = [`kind ${text(this.kind)}`, `filename ${text(this.file.name)}`, this.replaces && `replace ${text('true')}`];
    const response = await this.world.fetch('/library/uploads', {
      method: 'POST',
      headers: { ...version, 'Upload-Length': String(this.file.size), 'Upload-Metadata': metadata.filter(Boolean).join(',') },
    });
    if (response.status === 201) {
      this.#address = response.headers.get('Location');
      this.#offset = 0;
      this.world.memory?.setItem(this.#key, this.#address);
      return true;
    }
    if (response.status === full) this.#interrupt(await response.text());
    else if (response.status !== 503) this.#refuse(await response.text(), response.status);
    return false;
  }

  /** Asks how much has arrived. */
  async #look() {
    const response = await this.world.fetch(this.#address, { method: 'HEAD', headers: version, cache: 'no-store' });
    if (response.status === 404) {
      if (this.#isLastSent && await this.#isStored()) {
        this.#done();
        return false;
      }
      // An upload of an earlier visit, or one that the engine has removed: from the beginning.
      this.#address = null;
      this.world.memory?.removeItem(this.#key);
      return true;
    }
    if (response.status === 401 || response.status === 403) this.#refuse('this login may not send files', response.status);
    // The answer to the last part was lost: the file was refused, or waits for space and is finished by an empty part.
    if (refusals.has(response.status)) this.#refuse('the file was refused', response.status);
    if (response.status === full) this.#offset = this.file.size;
    if (response.status === 200) this.#offset = Number(response.headers.get('Upload-Offset'));
    if (response.status === 200 && this.#offset === this.file.size) this.#done();
    return this.#isActive && this.#offset !== null;
  }

  /** Whether the engine has a file of this name and size: the answer to the last part was lost. */
  async #isStored() {
    const place = besideRecordings.has(this.kind) ? 'recordings' : this.kind;
    const address = `/library/${place}/${encodeURIComponent(this.file.name)}`;
    const response = await this.world.fetch(address, { method: 'HEAD', cache: 'no-store' });
    return response.ok && Number(response.headers.get('Content-Length')) === this.file.size;
  }

  async #sendPart() {
    const begin = this.#offset;
    const part = await this.file.slice(begin, begin + (this.world.partSize ?? partSize)).arrayBuffer();
    this.#isLastSent = begin + part.byteLength === this.file.size;
    this.#tell(this.#isLastSent ? 'Sending the last part' : 'Sending');
    const headers = {
      ...version,
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(begin),
      'Upload-Checksum': `sha256 ${base64(new Uint8Array(await this.world.digest(part)))}`,
    };
    // It may have been paused or cancelled meanwhile.
    if (!this.#isActive) return false;
    this.#abort = new AbortController();
    const response = await this.world.fetch(this.#address, { method: 'PATCH', headers, body: part, signal: this.#abort.signal });
    if (response.status === 204) {
      this.#offset = Number(response.headers.get('Upload-Offset'));
      if (this.#offset === this.file.size) this.#done();
      return true;
    }
    const text = await response.text();
    // A part that was damaged, is being written, or arrived before: the offset is asked for again.
    if (transient.has(response.status) && !text.includes('not stored')) this.#offset = null;
    else if (response.status === full) this.#interrupt(text);
    else this.#refuse(text, response.status);
    return false;
  }
}
