import { onPaletteChange } from './palette.js';

/**
 * A canvas that is as sharp as its screen and is drawn at most once a frame, and only when something asked for it.
 *
 * `draw(context, width, height, seconds)` works in CSS pixels; when it returns true it is called again next frame.
 */
export class Picture {
  constructor(canvas, draw) {
    this.canvas = canvas;
    this.draw = draw;
    this.isWaiting = false;
    this.observer = new ResizeObserver(() => this.request());
    this.observer.observe(canvas);
    this.endPalette = onPaletteChange(() => this.request());
  }

  request() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.#paint();
    });
  }

  end() {
    this.observer.disconnect();
    this.endPalette();
  }

  #paint() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const scale = devicePixelRatio || 1;
    const pixels = [Math.round(width * scale), Math.round(height * scale)];
    if (this.canvas.width !== pixels[0] || this.canvas.height !== pixels[1]) {
      [this.canvas.width, this.canvas.height] = pixels;
    }
    const context = this.canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    if (this.draw(context, width, height, performance.now() / 1000)) this.request();
  }
}
