import { peakBetween } from './takes.js';
import { Canvas } from '../shared/drawing/canvas.js';
import { element } from '../shared/drawing/element.js';
import { palette } from '../shared/drawing/palette.js';

/** Full scale in the overviews of takes. */
const fullScale = 1000;

/** The outline of a take: pre-roll pale, the rest dark, lost sound as bars of the warning colour, and where it is played. */
export class TakePicture {
  constructor(take) {
    this.take = take;
    /** Returns the place that is played, from 0 to 1, or null for none; and whether it moves. */
    this.played = () => ({ place: null, isMoving: false });
    this.element = element('canvas', { class: 'take-picture', 'aria-hidden': 'true' });
    this.canvas = new Canvas(this.element, (context, width, height) => this.#draw(context, width, height));
  }

  end() {
    this.canvas.end();
  }

  #draw(context, width, height) {
    const { overview, seconds, lead, gaps } = this.take;
    const loudest = Math.max(fullScale / 50, ...overview);
    const [middle, start] = [height / 2, seconds > 0 ? (lead / seconds) * width : 0];
    for (let x = 0; x < width; x += 1) {
      const half = Math.max(0.5, (peakBetween(overview, x / width, (x + 1) / width) / loudest) * (middle - 1));
      context.fillStyle = x < start ? palette.faint : palette.ink;
      context.fillRect(x, middle - half, 1, 2 * half);
    }
    context.fillStyle = palette.faint;
    context.fillRect(Math.floor(start), 0, 1, height);
    context.fillStyle = palette.alarm;
    for (const gap of gaps) context.fillRect((gap.at / seconds) * width, 0, Math.max(3, (gap.seconds / seconds) * width), height);
    const { place, isMoving } = this.played();
    if (place !== null) {
      context.fillStyle = palette.left;
      context.fillRect(Math.min(width - 2, Math.round(place * width)), 0, 2, height);
    }
    return isMoving;
  }
}
