import { captureProblem } from './camera-words.js';

/** Opens the camera, the screen or the microphone of this browser, and notices when it is gone. */
export class OwnSource {
  #stream = null;

  /** @param events `{ ended(text) }` when the source stops by itself */
  constructor(events, devices = globalThis.navigator?.mediaDevices) {
    this.events = events;
    this.devices = devices;
  }

  /** The video track and the sound track; null for one that there is not. */
  get picture() {
    return this.#stream?.getVideoTracks()[0] ?? null;
  }

  get sound() {
    return this.#stream?.getAudioTracks()[0] ?? null;
  }

  get stream() {
    return this.#stream;
  }

  /**
   * Opens a source; rejected with the reason in words.
   *
   * @param source `camera`, `screen` or `microphone`
   * @param wishes `{ input, sound, width, height, rate }`; the id of an input, or an empty one for the usual
   */
  async open(source, { input, sound, height, rate }) {
    this.close();
    if (!this.devices) throw new Error('Browsers allow cameras, screens and microphones on secure pages only.');
    const deviceId = input ? { exact: input } : undefined;
    const size = { height: { ideal: height }, frameRate: { ideal: rate } };
    const microphone = { channelCount: 1, echoCancellation: true, ...(source === 'microphone' ? { deviceId } : {}) };
    try {
      this.#stream = source === 'screen' ? await this.devices.getDisplayMedia({ video: size, audio: sound })
        : await this.devices.getUserMedia({
          video: source === 'camera' ? { ...size, deviceId } : false, audio: source === 'microphone' || sound ? microphone : false,
        });
    } catch (error) {
      throw new Error(captureProblem(source, error), { cause: error });
    }
    for (const track of this.#stream.getTracks()) {
      track.addEventListener('ended', () => {
        if (!this.#stream?.getTracks().includes(track)) return;
        this.close();
        this.events.ended(source === 'screen' ? 'Screen sharing was ended in the browser.'
          : `The ${source} is gone: it was unplugged, or the permission was withdrawn. Connect it and offer it again.`);
      });
    }
  }

  /** Cameras or microphones to choose from, as `{ id, title }`. */
  async inputs(source) {
    if (!this.devices?.enumerateDevices || source === 'screen') return [];
    const kind = source === 'camera' ? 'videoinput' : 'audioinput';
    const all = await this.devices.enumerateDevices();
    return all.filter((each) => each.kind === kind && each.deviceId)
      .map(({ deviceId, label }, index) => ({ id: deviceId, title: label || `${source} ${index + 1}` }));
  }

  close() {
    const stream = this.#stream;
    this.#stream = null;
    for (const track of stream?.getTracks() ?? []) track.stop();
  }
}
