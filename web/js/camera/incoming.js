import { encodeReceipt } from './camera-wire.js';
import { DelayRecord } from './delay-record.js';
import { PictureDecoder } from './picture-decoder.js';
import { SoundPlayer } from './sound-player.js';

/** Milliseconds between two requests for a key frame. */
const keyPause = 500;

/** Frames that this browser receives from one peer. */
export class Incoming {
  #arrived = 0;
  #late = 0;
  #asked = -Infinity;
  /** Receiver's clock minus sender's, milliseconds; null until the engine knows it. */
  #offset = null;
  #shown = [];
  /** Time at which the last picture was shown; before the first one, the time from which pictures could arrive. */
  #latest;
  #isPaused = false;
  delays = new DelayRecord();
  size = { width: 0, height: 0 };
  /** Time of the first picture; null before. */
  firstShown = null;

  /**
   * @param link number of the link
   * @param draw shows a VideoFrame
   * @param send sends a message or bytes to the engine
   * @param clock milliseconds of this page's clock
   */
  constructor(link, draw, send, clock, world = globalThis) {
    this.link = link;
    this.draw = draw;
    this.send = send;
    this.clock = clock;
    this.#latest = clock();
    this.decoder = new PictureDecoder({ picture: (picture) => this.#show(picture), needsKey: () => this.#askForKey() }, world);
    this.sound = new SoundPlayer(world);
  }

  /** Takes a frame of the link, and confirms it. */
  take(frame) {
    this.#arrived += 1;
    if (this.#isPaused) return;
    this.#confirm();
    if (frame.kind === 'sound') this.sound.push(frame);
    else {
      this.size = { width: frame.width, height: frame.height };
      this.decoder.push(frame);
    }
  }

  #confirm() {
    this.send(encodeReceipt(this.link, this.#arrived, this.#late));
  }

  /** Shows and plays nothing while the sender is asked again. The link stays, and with it the counts of both its ends. */
  pause() {
    this.#isPaused = true;
    this.end();
  }

  /** Goes on after a pause. */
  resume() {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#latest = this.clock();
    // The relay sends no more frames before it knows of those that were on their way.
    this.#confirm();
  }

  set offset(offset) {
    this.#offset = offset;
  }

  /** Pictures that were shown in the last second. */
  get rate() {
    const now = this.clock();
    this.#shown = this.#shown.filter((time) => now - time < 1000);
    return this.#shown.length;
  }

  get late() {
    return this.#late;
  }

  /** Milliseconds since the last picture was shown, or since the first one could have come. */
  get silence() {
    return this.clock() - this.#latest;
  }

  /** Milliseconds from the camera to the screen: the median and that of 95 % of the pictures; null until they are known. */
  get delay() {
    return this.delays.count === 0 ? null : { middle: this.delays.share(0.5), most: this.delays.share(0.95) };
  }

  #show(picture) {
    const now = this.clock();
    if (this.#offset !== null) {
      const delay = now - (picture.timestamp / 1000 + this.#offset);
      // A picture behind which newer ones wait may be left out.
      const isLate = this.decoder.queued > 0 && this.delays.isLate(delay, 80);
      this.delays.add(delay);
      if (isLate) {
        this.#late += 1;
        picture.close();
        return;
      }
    }
    this.draw(picture);
    picture.close();
    this.firstShown ??= now;
    this.#latest = now;
    this.#shown.push(now);
  }

  #askForKey() {
    const now = this.clock();
    if (now - this.#asked < keyPause) return;
    this.#asked = now;
    this.send({ type: 'key', link: this.link });
  }

  end() {
    this.decoder.end();
    this.sound.end();
  }
}
