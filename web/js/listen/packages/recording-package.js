import { standardRadius } from '../../../renderer/constants.js';
import { wrap } from '../../shared/numbers/angles.js';

/** Largest sizes that an index may announce: an hour of 64 microphones at 192 kHz, and a chunk of as many channels without compression. */
const mostFrames = 3600 * 192_000;
const mostBytes = 64 * 192_000 * 4;

/** Smallest distance between two microphones, degrees. */
const closest = 0.01;

/** Milliseconds after which a network that does not answer counts as none, if there is a stored index. */
const deadline = 3000;

const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

/** Returns what is wrong with an index, in words; null when nothing is. protocol/recording-package.md describes it. */
export function problemOf(index) {
  if (index?.format !== 'vestibule-recording') return 'it is not the index of a packed recording';
  if (index.version !== 1) return `it has version ${index.version}, and this page reads version 1`;
  if (!['flac', 'opus'].includes(index.coding)) return `its coding is ${index.coding}, and this page reads flac and opus`;
  const { rate, frames, chunkFrames, groups, chunks, array } = index;
  if (!isWhole(rate, 8000, 192_000)) return `its rate is ${rate}`;
  if (!isWhole(frames, 1, mostFrames)) return `its length is ${frames} frames`;
  if (!isWhole(chunkFrames, 1024, 192_000)) return `its chunks have ${chunkFrames} frames`;
  const azimuths = array?.azimuths;
  if (!Array.isArray(azimuths) || !isWhole(azimuths.length, 1, 64) || !azimuths.every(Number.isFinite)) return 'it has no microphones';
  const isFree = (azimuth, i) => azimuths.slice(0, i).every((other) => Math.abs(wrap(azimuth - other)) >= closest);
  if (!azimuths.every((azimuth, i) => Math.abs(azimuth) <= 360 && isFree(azimuth, i))) return 'two of its microphones have the same place';
  const { radius = standardRadius } = array;
  if (!(radius >= 0.01 && radius <= 1)) return `its radius is ${radius} m`;
  const { lead = 0, trail = 0 } = index;
  if (!isWhole(lead, 0, 48_000) || !isWhole(trail, 0, 48_000)) return 'its streams begin or end too far away from their chunks';
  if (typeof index.title !== 'string') return 'it has no title';
  if (!Array.isArray(groups) || !groups.every((group) => isWhole(group, 1, 8))
    || groups.reduce((sum, group) => sum + group, 0) !== azimuths.length) return 'its streams do not fit its microphones';
  if (!Array.isArray(chunks) || chunks.length !== Math.ceil(frames / chunkFrames)) return 'chunks are missing';
  const isChunk = ({ file, bytes, parts, sha256 }) => /^[\w-]+\.bin$/.test(file) && isWhole(bytes, 1, mostBytes)
    && Array.isArray(parts) && parts.length === groups.length && parts.every((part) => isWhole(part, 1, mostBytes))
    && parts.reduce((sum, part) => sum + part, 0) === bytes && /^[0-9a-f]{64}$/.test(sha256);
  const wrong = chunks.findIndex((chunk) => !isChunk(chunk ?? {}));
  return wrong < 0 ? null : `its chunk ${wrong} is described wrongly`;
}

/** SHA-256 in hexadecimal digits. */
export async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A packed recording: its index, and chunks whose hash is right, from the store or from the network. */
export class RecordingPackage {
  /**
   * @param url of the package's folder, with a slash at its end
   * @param index as `open` has checked it
   * @param store of `PackageStore` for this package, or null
   */
  constructor(url, index, store, get = (...request) => fetch(...request)) {
    this.url = url;
    this.index = index;
    this.store = store;
    this.get = get;
  }

  /** Opens a package, from the network or, without one, from the store. */
  static async open(url, store = null, get = (...request) => fetch(...request)) {
    const kept = await store?.index();
    let index;
    try {
      const answer = await get(new URL('index.json', url), kept ? { signal: AbortSignal.timeout(deadline) } : {});
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      index = await answer.json();
    } catch (error) {
      index = kept;
      if (!index) throw new Error(`No recording at ${url}: ${error.message}.`);
    }
    const problem = problemOf(index);
    if (problem) throw new Error(`The recording at ${url} cannot be played: ${problem}.`);
    return new RecordingPackage(url, index, store, get);
  }

  /** Length in seconds. */
  get seconds() {
    return this.index.frames / this.index.rate;
  }

  /** Size of all chunks in bytes. */
  get bytes() {
    return this.index.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  }

  /** The bytes of a chunk. A stored chunk that is damaged is fetched again; one from the network is an error. */
  async chunk(number, { signal } = {}) {
    const { file, bytes, sha256 } = this.index.chunks[number];
    const stored = await this.store?.read(file);
    if (stored && stored.byteLength === bytes && await digest(stored) === sha256) return stored;
    const answer = await this.get(new URL(file, this.url), { signal });
    if (!answer.ok) throw new Error(`Second ${number} of the recording is missing: the server answered ${answer.status}.`);
    const fetched = await answer.arrayBuffer();
    if (fetched.byteLength !== bytes || await digest(fetched) !== sha256) {
      throw new Error(`Second ${number} of the recording has arrived damaged.`);
    }
    return fetched;
  }

  /** Decodes a chunk into interleaved samples. */
  async decode(number, bytes, context = new OfflineAudioContext(1, 1, this.index.rate)) {
    const { chunks, groups, frames, chunkFrames, lead = 0, trail = 0 } = this.index;
    const length = Math.min(chunkFrames, frames - number * chunkFrames);
    const channels = groups.reduce((sum, group) => sum + group, 0);
    const samples = new Float32Array(length * channels);
    let [at, first] = [0, 0];
    for (const [index, group] of groups.entries()) {
      const part = chunks[number].parts[index];
      const sound = await context.decodeAudioData(bytes.slice(at, at + part)).catch(() => {
        throw new Error(`Second ${number} of the recording cannot be decoded.`);
      });
      if (sound.numberOfChannels !== group || sound.length !== lead + length + trail) {
        throw new Error(`Second ${number} of the recording does not match its index.`);
      }
      for (let channel = 0; channel < group; channel += 1) {
        const row = sound.getChannelData(channel);
        for (let i = 0; i < length; i += 1) samples[i * channels + first + channel] = row[lead + i];
      }
      at += part;
      first += group;
    }
    return samples;
  }
}
