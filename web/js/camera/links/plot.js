import { element, setAttribute, setText } from '../../shared/drawing/element.js';
import { roundAbove } from '../../shared/numbers/history.js';
import { numberText } from '../../shared/numbers/units.js';

/** Size of the drawing in its own units; it is stretched to its place. */
const [width, height] = [120, 32];

/** The line of values over time, as the `d` of a path; unknown values leave gaps. */
export function linePath(points, now, seconds, most) {
  let isDrawing = false;
  return points.map(([time, value]) => {
    if (!Number.isFinite(value)) {
      isDrawing = false;
      return '';
    }
    const x = width * Math.max(0, 1 - (now - time) / seconds);
    const y = height - 1 - ((height - 2) * Math.min(value, most)) / most;
    const step = `${isDrawing ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    isDrawing = true;
    return step;
  }).join('');
}

/** Values over time in words. */
export function plotWords({ title, unit, decimals }, values, seconds) {
  const known = values.filter(Number.isFinite);
  if (known.length === 0) return `${title}: not known yet`;
  const words = (value) => numberText(value, decimals) + (unit && `\u00a0${unit}`);
  const [least, most, present] = [Math.min(...known), Math.max(...known), known.at(-1)];
  const range = least === most ? '' : `; ${words(least)} to ${words(most)} in the last ${seconds} s`;
  return `${title}: ${words(present)}${range}`;
}

/** A small plot of one number over the last seconds, with its present value. */
export class Plot {
  /** @param spec `{ title, unit, decimals, least }`: the axis reaches from 0 at least to `least` */
  constructor(spec, seconds) {
    Object.assign(this, { spec, seconds });
    this.line = element('path', { 'vector-effect': 'non-scaling-stroke' });
    this.picture = element('svg', {
      class: 'plot-line', viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': spec.title,
    }, this.line);
    this.number = element('span', { class: 'plot-number', 'aria-hidden': 'true' });
    this.top = element('span', { class: 'plot-top', 'aria-hidden': 'true' });
    this.element = element('li', { class: 'plot' },
      element('span', { class: 'plot-title', 'aria-hidden': 'true' }, spec.title), this.number, this.picture, this.top);
  }

  /** @param points `[seconds, value]`, oldest first */
  show(points, now) {
    const { spec, seconds } = this;
    const values = points.map(([, value]) => value);
    const most = roundAbove(Math.max(spec.least, ...values.filter(Number.isFinite)));
    setAttribute(this.line, 'd', linePath(points, now, seconds, most));
    setAttribute(this.picture, 'aria-label', plotWords(spec, values, seconds));
    const unit = spec.unit && `\u00a0${spec.unit}`;
    const present = values.at(-1);
    setText(this.number, Number.isFinite(present) ? numberText(present, spec.decimals) + unit : '–');
    setText(this.top, `to ${numberText(most, spec.decimals)}${unit}`);
  }
}
