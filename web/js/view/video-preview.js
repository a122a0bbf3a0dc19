import { element, setText } from '../shared/drawing/element.js';
import { clockText } from '../shared/numbers/units.js';
import { closeVideo, drawEye, VideoStrip } from './video-strip.js';

/** Size of the picture in pixels; the page shows it at half of that. */
const [width, height] = [360, 180];

/** Shows pictures of the whole video along the seek bar, and the one at the place that the pointer is over or that is being chosen. */
export class VideoPreview {
  #video = null;
  #wanted = null;
  #release;
  /** Milliseconds after which a preview that is not shown releases the video. */
  patience = 5000;

  /**
   * @param bar the seek bar: an input whose greatest value is the duration in seconds
   * @param film function: address of the video, layout of its frames, and offset in seconds, `{ source, layout, offset }`
   */
  constructor(bar, film) {
    Object.assign(this, { bar, film });
    this.canvas = element('canvas', { width, height });
    this.time = element('span', {});
    this.strip = new VideoStrip(film, () => Number(bar.max));
    this.element = element('div', { class: 'view-preview', hidden: true, 'aria-hidden': 'true' }, this.canvas, this.time);
    bar.addEventListener('pointermove', (event) => this.#show(this.#secondsAt(event.clientX)));
    bar.addEventListener('input', () => this.#show(Number(bar.value)));
    for (const end of ['pointerleave', 'blur', 'change']) bar.addEventListener(end, () => this.#hide());
  }

  /** Seconds of the place on the bar under the pointer. */
  #secondsAt(x) {
    const { left, width: length } = this.bar.getBoundingClientRect();
    return Math.min(Math.max(0, (x - left) / length), 1) * Number(this.bar.max);
  }

  #show(seconds) {
    const { source, offset } = this.film();
    const duration = Number(this.bar.max);
    if (!source || !(duration > 0)) return;
    clearTimeout(this.#release);
    this.element.hidden = false;
    this.strip.show();
    this.element.style.setProperty('--at', seconds / duration);
    setText(this.time, clockText(seconds));
    this.#wanted = Math.max(0, seconds - offset);
    this.#load(source);
    this.#seek();
  }

  #hide() {
    this.element.hidden = true;
    this.strip.hide();
    this.#wanted = null;
    clearTimeout(this.#release);
    // The browser would continue loading it beside the film itself.
    this.#release = setTimeout(() => {
      this.strip.release();
      this.release();
    }, this.patience);
  }

  /** Whether the video is open a second time, for tests. */
  get isOpen() {
    return this.#video !== null;
  }

  release() {
    closeVideo(this.#video);
    this.#video = null;
  }

  /** Opens the video a second time, when a picture of it is first wanted. */
  #load(source) {
    if (this.#video?.getAttribute('src') === source) return;
    this.canvas.getContext('2d').clearRect(0, 0, width, height);
    const video = document.createElement('video');
    Object.assign(video, { muted: true, playsInline: true, preload: 'auto', crossOrigin: 'anonymous', src: source });
    video.addEventListener('loadeddata', () => this.#seek());
    video.addEventListener('seeked', () => this.#draw(video));
    closeVideo(this.#video);
    this.#video = video;
  }

  /** Seeks, unless another seek has not ended yet: then the newest place follows. */
  #seek() {
    const video = this.#video;
    if (this.#wanted === null || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.seeking) return;
    const place = Math.min(this.#wanted, video.duration);
    if (Math.abs(video.currentTime - place) > 0.02) video.currentTime = place;
    else this.#draw(video);
  }

  #draw(video) {
    drawEye(this.canvas.getContext('2d'), video, this.film().layout, [0, 0, width, height]);
    if (this.#wanted !== null && Math.abs(video.currentTime - Math.min(this.#wanted, video.duration)) > 0.02) this.#seek();
  }
}
