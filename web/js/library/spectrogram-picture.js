import { spectrogramOf, spectrogramText } from './spectrogram.js';
import { Canvas } from '../shared/drawing/canvas.js';
import { element } from '../shared/drawing/element.js';
import { palette } from '../shared/drawing/palette.js';

/** Decibels below the loudest band that are drawn. */
const range = 60;

/** The spectrogram of a sound as a small picture, fetched when it is shown; low frequencies are at the bottom. */
export class SpectrogramPicture {
  #spectrogram = null;
  #isEnded = false;

  constructor({ place, name }, fetch) {
    this.element = element('canvas', { class: 'library-outline', role: 'img', 'aria-label': 'Spectrogram' });
    this.canvas = new Canvas(this.element, (context, width, height) => this.#draw(context, width, height));
    this.#fetch(`/library/spectrograms/${place}/${name.split('/').map(encodeURIComponent).join('/')}`, fetch);
  }

  async #fetch(address, fetch) {
    try {
      const response = await fetch(address);
      if (!response.ok || this.#isEnded) return;
      this.#spectrogram = spectrogramOf(await response.json());
    } catch {
      return;
    }
    if (!this.#spectrogram || this.#isEnded) return;
    this.element.setAttribute('aria-label', spectrogramText(this.#spectrogram));
    this.canvas.request();
  }

  #draw(context, width, height) {
    if (!this.#spectrogram) return;
    const { columns, rows, level } = this.#spectrogram;
    let loudest = -Infinity;
    for (let column = 0; column < columns; column += 1) {
      for (let row = 0; row < rows; row += 1) loudest = Math.max(loudest, level(column, row));
    }
    const [wide, tall] = [width / columns, height / rows];
    context.fillStyle = palette.ink;
    for (let column = 0; column < columns; column += 1) {
      for (let row = 0; row < rows; row += 1) {
        const share = 1 + (level(column, row) - loudest) / range;
        if (share <= 0) continue;
        context.globalAlpha = share;
        context.fillRect(column * wide, height - (row + 1) * tall, Math.ceil(wide), Math.ceil(tall));
      }
    }
    context.globalAlpha = 1;
  }

  end() {
    this.#isEnded = true;
    this.canvas.end();
  }
}
