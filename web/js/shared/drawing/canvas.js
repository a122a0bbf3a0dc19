import { onPaletteChange } from './palette.js';

/**
 * A canvas in the screen's resolution that is drawn on request, at most once per frame.
 *
 * `draw(context, width, height, seconds)` works in CSS pixels; when it returns true it is called again in the next frame.
 */
export class Canvas {
  constructor(canvas, draw) {
    this.canvas = canvas;
    this.draw = draw;
    this.isWaiting = false;
    this.observer = new ResizeObserver(() => this.request());
    this.observer.observe(canvas);
    this.endPalette = onPaletteChange(() => this.request());
  }

  /** Draws in the next frame. */
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
