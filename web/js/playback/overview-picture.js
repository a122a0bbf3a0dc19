import { Canvas } from '../shared/drawing/canvas.js';
import { element } from '../shared/drawing/element.js';
import { onPaletteChange, palette } from '../shared/drawing/palette.js';
import { frequencyMarks, loudestPeak, peaksBetween, readOverview } from './overview.js';

/** Decibels below the loudest band that the spectrogram shows. */
const spectrogramRange = 60;

/** The overview of the recording as a waveform or a spectrogram, with the part that has been played. */
export class OverviewPicture {
  /**
   * @param kind returns `waveform` or `spectrogram`
   * @param share returns the played share of the recording, 0 to 1
   */
  constructor(kind, share) {
    this.kind = kind;
    this.share = share;
    this.overview = null;
    this.element = element('canvas', { class: 'seek-overview', 'aria-hidden': 'true' });
    this.canvas = new Canvas(this.element, (context, width, height) => this.#draw(context, width, height));
    this.endPalette = onPaletteChange(() => { this.spectrogram = null; });
  }

  /** Shows the picture number of the engine; 0 shows none. */
  async fetch(world, number) {
    this.wanted = number;
    if (number === 0) return this.#show(null);
    try {
      const response = await world.fetch('/overview', { cache: 'no-store' });
      const bytes = response.status === 200 ? await response.arrayBuffer() : null;
      if (this.wanted === number) this.#show(bytes && readOverview(bytes));
    } catch {
      if (this.wanted === number) this.#show(null);
    }
    return undefined;
  }

  #show(overview) {
    this.overview = overview;
    this.spectrogram = null;
    this.scale = overview ? 1 / Math.max(0.02, loudestPeak(overview)) : 1;
    this.element.parentElement?.classList.toggle('has-overview', overview !== null);
    this.request();
  }

  request() {
    this.canvas.request();
  }

  end() {
    this.wanted = null;
    this.canvas.end();
    this.endPalette();
  }

  #draw(context, width, height) {
    if (!this.overview) return;
    const played = this.share() * width;
    if (this.kind() === 'spectrogram') this.#drawSpectrogram(context, width, height, played);
    else this.#drawWaveform(context, width, height, played);
  }

  #drawWaveform(context, width, height, played) {
    const middle = height / 2;
    for (let x = 0; x < width; x += 1) {
      const [lowest, highest] = peaksBetween(this.overview, x / width, (x + 1) / width);
      const top = middle - highest * this.scale * (middle - 1);
      const bottom = middle - lowest * this.scale * (middle - 1);
      context.fillStyle = x < played ? palette.ink : palette.faint;
      context.fillRect(x, top, 1, Math.max(1, bottom - top));
    }
  }

  #drawSpectrogram(context, width, height, played) {
    this.spectrogram ??= spectrogramOf(this.overview, palette.ink);
    context.globalAlpha = 0.55;
    context.drawImage(this.spectrogram, 0, 0, width, height);
    context.globalAlpha = 1;
    context.save();
    context.beginPath();
    context.rect(0, 0, played, height);
    context.clip();
    context.clearRect(0, 0, played, height);
    context.drawImage(this.spectrogram, 0, 0, width, height);
    context.restore();
    this.#drawFrequencies(context, width, height);
  }

  /** Each mark has its text on the surface's colour, readable on any sound, and a tick at the other end. */
  #drawFrequencies(context, width, height) {
    context.font = `500 9px ${palette.font}`;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    for (const [share, text] of frequencyMarks(this.overview)) {
      const y = Math.min(height - 5, Math.max(5, (1 - share) * height));
      const room = context.measureText(text).width + 6;
      context.fillStyle = palette.surface;
      context.globalAlpha = 0.8;
      context.fillRect(0, y - 5, room, 10);
      context.globalAlpha = 1;
      context.fillStyle = palette.ink;
      context.fillText(text, 3, y + 0.5);
      context.fillRect(width - 4, y, 4, 1);
    }
  }
}

/** A picture with a pixel for every level: the louder, the less transparent. */
function spectrogramOf({ slices, rows, levels, decibels: [lowest, highest] }, colour) {
  const canvas = element('canvas', { width: slices, height: rows });
  const context = canvas.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, slices, rows);
  const image = context.getImageData(0, 0, slices, rows);
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0);
  const range = (spectrogramRange / (highest - lowest)) * 255;
  for (let slice = 0; slice < slices; slice += 1) {
    for (let row = 0; row < rows; row += 1) {
      const share = Math.max(0, 1 + (levels[slice * rows + row] - loudest) / range);
      image.data[4 * ((rows - 1 - row) * slices + slice) + 3] = 255 * share;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
