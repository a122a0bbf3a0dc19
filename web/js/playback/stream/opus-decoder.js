/** Frames per second of Opus. */
const rate = 48000;
const configuration = (channels) => ({ codec: 'opus', sampleRate: rate, numberOfChannels: channels });
/** Packets that may wait for the decoder; more mean that it does not keep up. */
const mostWaiting = 40;

/**
 * The reason why this browser cannot decode Opus; null when it can.
 *
 * @param world the global object of the page
 */
export async function opusRefusal(world = globalThis) {
  if (!world.isSecureContext) return 'browsers decode compressed sound on secure pages only: https or this machine';
  if (typeof world.AudioDecoder !== 'function') return 'this browser cannot decode Opus';
  try {
    const { supported } = await world.AudioDecoder.isConfigSupported(configuration(2));
    return supported ? null : 'this browser cannot decode Opus';
  } catch (error) {
    return `this browser cannot decode Opus: ${error.message}`;
  }
}

/** Decodes packets of Opus, by WebCodecs. */
export class OpusDecoder {
  /**
   * @param {function(number, ...Float32Array)} sound receives the start of a packet and its channels
   * @param {function(string)} failed called once when decoding is not possible any more
   */
  constructor(sound, failed, world = globalThis, channels = 2) {
    this.channels = channels;
    this.sound = sound;
    this.failed = failed;
    this.world = world;
    this.refused = 0;
    this.isEnded = false;
    this.#open();
  }

  #open() {
    // Sample counts of the packets in the decoder. Its own times run on across gaps.
    this.starts = [];
    this.decoder = new this.world.AudioDecoder({
      output: (data) => this.#take(data),
      error: (error) => this.#recover(error),
    });
    this.decoder.configure(configuration(this.channels));
  }

  /** Starts again after a packet that is no Opus; gives up when nothing could be decoded since. */
  #recover(error) {
    if (this.isEnded) return;
    this.refused += 1;
    if (this.hasDecoded) {
      this.hasDecoded = false;
      this.#open();
      return;
    }
    this.isEnded = true;
    this.failed(error.message);
  }

  /** @param {number} start sample count at the packet's first frame @param {ArrayBuffer} content */
  push(start, content) {
    if (this.isEnded || this.decoder.state !== 'configured' || this.decoder.decodeQueueSize > mostWaiting) {
      this.refused += 1;
      return;
    }
    this.starts.push(start);
    this.decoder.decode(new this.world.EncodedAudioChunk({ type: 'key', timestamp: Math.round((start * 1e6) / rate), data: content }));
  }

  #take(data) {
    this.hasDecoded = true;
    const frames = data.numberOfFrames;
    const start = this.starts.shift();
    const sound = Array.from({ length: this.channels }, (_, plane) => {
      const samples = new Float32Array(frames);
      data.copyTo(samples, { planeIndex: Math.min(plane, data.numberOfChannels - 1), format: 'f32-planar' });
      return samples;
    });
    data.close();
    if (!this.isEnded) this.sound(start, ...sound);
  }

  end() {
    this.isEnded = true;
    if (this.decoder.state !== 'closed') this.decoder.close();
  }
}
