import { element } from '../../shared/drawing/element.js';
import { History } from '../../shared/numbers/history.js';
import { Plot } from './plot.js';

/** Seconds that are shown. */
const seconds = 60;

const plots = {
  rate: { title: 'Rate', unit: 'kbit/s', decimals: 0, least: 100 },
  lines: { title: 'Lines', unit: '', decimals: 0, least: 100 },
  pictures: { title: 'Pictures', unit: '/s', decimals: 0, least: 10 },
  lost: { title: 'Left out', unit: '/s', decimals: 0, least: 5 },
  delay: { title: 'Delay', unit: 'ms', decimals: 0, least: 50 },
  trip: { title: 'To the receipt', unit: 'ms', decimals: 0, least: 50 },
  step: { title: 'Strategy step', unit: '', decimals: 0, least: 5 },
};

/** Numbers of one link, or of the own encoder, over the last minute, as small plots; drawn only while they are unfolded. */
export class LinkPlots {
  #lost = null;

  /** @param names of the plots, in their order; @param title of the fold */
  constructor(names, title) {
    this.names = names;
    this.history = new History(seconds);
    this.plots = names.map((name) => new Plot(plots[name], seconds));
    this.element = element('details', { class: 'more camera-plots', ontoggle: () => this.#draw() },
      element('summary', {}, title), element('ul', {}, this.plots.map((plot) => plot.element)));
  }

  /**
   * Takes numbers of the present.
   *
   * @param time seconds
   * @param numbers by the names of the plots; `lost` counts from the beginning of the link
   */
  take(time, numbers) {
    const before = this.#lost;
    this.#lost = { time, count: numbers.lost };
    const lost = before && time > before.time ? Math.max(0, (numbers.lost - before.count) / (time - before.time)) : NaN;
    this.history.take(time, { ...numbers, lost });
    this.#draw();
  }

  /** Forgets everything, as before another link. */
  clear() {
    this.#lost = null;
    this.history = new History(seconds);
    this.#draw();
  }

  #draw() {
    if (!this.element.open) return;
    const points = this.history.points;
    const now = points.at(-1)?.[0] ?? 0;
    this.names.forEach((name, index) => {
      this.plots[index].show(points.map(([time, values]) => [time, values[name] ?? NaN]), now);
    });
  }
}
