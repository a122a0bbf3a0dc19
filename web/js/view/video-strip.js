import { element } from '../shared/drawing/element.js';

/** Pictures of the strip, and the size of one in pixels; the page shows them at half of that at most. */
const count = 10;
const [width, height, gap] = [144, 72, 2];

/** Draws the frame of a video into a place of a canvas: of stereo video, the left eye's part. */
export function drawEye(context, video, layout, place) {
  const across = layout === 'side-by-side' ? 2 : 1;
  const down = layout === 'top-bottom' ? 2 : 1;
  context.drawImage(video, 0, 0, video.videoWidth / across, video.videoHeight / down, ...place);
}

/** Ends the loading of a video that is not shown any more. */
export function closeVideo(video) {
  if (!video) return;
  video.removeAttribute('src');
  video.load();
}

/** Seconds of the recording in the middle of each picture. */
const stripTimes = (duration) => Array.from({ length: count }, (_, index) => ((index + 0.5) * duration) / count);

/** Small pictures of the whole video along the seek bar, made one after another once the bar is used. */
export class VideoStrip {
  #made = '';
  #video = null;
  /** Seconds of the video that each picture shows; null for one without a picture. For tests. */
  shown = [];

  /** @param film as in `VideoPreview`; @param duration function: seconds of the recording */
  constructor(film, duration) {
    Object.assign(this, { film, duration });
    this.element = element('canvas', { class: 'view-strip', width: count * width, height, hidden: true, 'aria-hidden': 'true' });
  }

  show() {
    this.element.hidden = !(this.film().source && this.duration() > 0);
    if (!this.element.hidden) this.#make();
  }

  hide() {
    this.element.hidden = true;
  }

  #close() {
    const video = this.#video;
    this.#video = null;
    closeVideo(video);
  }

  /** Lets go of the video; pictures that are missing are made when they are wanted next. */
  release() {
    if (this.#video) this.#made = '';
    this.#close();
  }

  /** Makes the pictures, unless those of the same video are there or on their way. */
  #make() {
    const { source, layout, offset } = this.film();
    const duration = this.duration();
    const wanted = JSON.stringify([source, layout, offset, duration]);
    if (wanted === this.#made) return;
    this.#made = wanted;
    this.shown = [];
    const context = this.element.getContext('2d');
    context.clearRect(0, 0, this.element.width, this.element.height);
    closeVideo(this.#video);
    const video = document.createElement('video');
    this.#video = video;
    Object.assign(video, { muted: true, playsInline: true, preload: 'auto', crossOrigin: 'anonymous' });
    const places = stripTimes(duration).map((seconds) => seconds - offset);
    const next = () => {
      if (video !== this.#video) return;
      while (this.shown.length < count && !(places[this.shown.length] >= 0 && places[this.shown.length] <= video.duration)) {
        this.shown.push(null);
      }
      if (this.shown.length < count) video.currentTime = places[this.shown.length];
      else this.#close();
    };
    video.addEventListener('loadeddata', next, { once: true });
    video.addEventListener('seeked', () => {
      if (video !== this.#video || this.shown.length >= count) return;
      drawEye(context, video, layout, [this.shown.length * width + gap, 0, width - 2 * gap, height]);
      this.shown.push(video.currentTime);
      next();
    });
    video.src = source;
  }
}
