import { outlineOf } from './library.js';
import { Canvas } from '../shared/drawing/canvas.js';
import { element } from '../shared/drawing/element.js';
import { palette } from '../shared/drawing/palette.js';

/** The outline of a sound as a small picture, on a scale of 48 dB. */
export class OutlinePicture {
  constructor(digits) {
    this.magnitudes = outlineOf(digits);
    this.element = element('canvas', { class: 'library-outline', 'aria-hidden': 'true' });
    this.canvas = new Canvas(this.element, (context, width, height) => this.#draw(context, width, height));
  }

  #draw(context, width, height) {
    const { magnitudes } = this;
    const step = width / magnitudes.length;
    context.fillStyle = palette.ink;
    magnitudes.forEach((magnitude, i) => {
      const share = Math.max(0, 1 + (20 * Math.log10(Math.max(magnitude, 1e-6))) / 48);
      const tall = Math.max(1, share * height);
      context.fillRect(i * step, (height - tall) / 2, Math.max(1, step - (step > 3 ? 1 : 0)), tall);
    });
  }

  end() {
    this.canvas.end();
  }
}
