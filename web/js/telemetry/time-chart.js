import { card } from '../shared/controls/card.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { roundAbove } from '../shared/numbers/history.js';
import { palette } from '../shared/drawing/palette.js';
import { numberText } from '../shared/numbers/units.js';
import { firstRow, nearestRow } from './telemetry-record.js';

const dashes = { dashed: [7, 4], dotted: [2, 3] };

/** A number with its unit, separated by a space except for the degree sign. */
const inUnit = (value, decimals, unit) => `${numberText(value, decimals)}${unit === '°' ? '' : '\u00a0'}${unit}`;

/** Ticks of the time axis, counted back from its end. */
function ticks(from, to) {
  const span = to - from;
  const step = span <= 10 ? 2 : span <= 60 ? 15 : 60;
  const made = [];
  for (let back = 0; back <= span + 1e-6; back += step) {
    // The library counts the end itself as outside.
    made.push({ v: Math.min(to - back, to - span * 1e-6), label: back === 0 ? '0' : `−${step >= 60 ? `${back / 60} min` : `${back} s`}` });
  }
  return made;
}

/** One chart over time as a card, with the newest numbers or those of a selected time as text. */
export class TimeChart {
  /**
   * @param spec one of telemetry-charts.js
   * @param pointed called with the time under a pointer
   */
  constructor(spec, pointed) {
    this.spec = spec;
    this.pointed = pointed;
    this.outputs = spec.series.map(() => element('dd', {}, '–'));
    this.box = element('div', { class: 'chart', role: 'img', 'aria-label': `${spec.title} over time` });
    this.element = card(spec.title, spec.help,
      element('dl', { class: 'chart-values' }, spec.series.map((series, index) => element('div', {},
        element('dt', { class: `key-${series.colour} ${series.dashes ? `is-${series.dashes}` : ''}` }, series.title),
        this.outputs[index]))), this.box);
    this.plot = null;
  }

  /** Sets the library that draws from now on. */
  useLibrary(Dygraph) {
    this.library = Dygraph;
  }

  /** Shows a text instead of the chart when the library is missing. */
  giveUp() {
    this.box.classList.add('is-missing');
    setText(this.box, 'No chart; see the reason above. The numbers and the CSV file are complete.');
    this.box.removeAttribute('role');
  }

  /** Shows rows between two times, and the numbers at `moment`. */
  draw(rows, from, to, moment) {
    this.#number(rows, moment);
    if (!this.library || !this.box.clientWidth) return;
    const shown = rows.slice(firstRow(rows, from));
    if (shown.length === 0) return;
    const options = { file: shown, dateWindow: [from, to], valueRange: this.#range(shown) };
    if (this.plot) this.plot.updateOptions(options);
    else this.plot = new this.library(this.box, shown, { ...this.#look(), ...options });
    const row = moment < to ? nearestRow(shown, moment) : -1;
    if (row >= 0) this.plot.setSelection(row);
    else this.plot.clearSelection();
  }

  /** The colours of the page have changed. */
  recolour() {
    this.plot?.updateOptions(this.#look());
  }

  #number(rows, moment) {
    const { unit, decimals, series, title } = this.spec;
    const values = rows[nearestRow(rows, moment)]?.slice(1) ?? [];
    const text = (value) => (value === null || value === undefined ? '–'
      : inUnit(value, decimals, unit));
    this.outputs.forEach((output, index) => setText(output, text(values[index])));
    this.words = `${title}: ${series.map((each, index) => `${each.title} ${text(values[index])}`).join(', ')}`;
    setAttribute(this.box, 'aria-label', `${title} over time, in ${unit}`);
  }

  #range(rows) {
    const { range: [bottom, top], least } = this.spec;
    if (top !== null) return [bottom, top];
    let most = least;
    for (const row of rows) for (let column = 1; column < row.length; column += 1) most = Math.max(most, row[column]);
    return [bottom, roundAbove(most)];
  }

  #look() {
    const { series, marks, unit } = this.spec;
    return {
      labels: ['time', ...series.map((each) => each.title)],
      colors: series.map((each) => palette[each.colour]),
      series: Object.fromEntries(series.map((each) => [each.title, { strokePattern: dashes[each.dashes] ?? null }])),
      strokeWidth: 1.75, legend: 'never', interactionModel: {}, highlightCircleSize: 4, axisLabelFontSize: 12,
      axisTickSize: 6, xAxisHeight: 28,
      gridLineColor: palette.line, gridLineWidth: 1, axisLineColor: palette.line, rightGap: 12,
      axes: {
        x: { ticker: ticks, drawGrid: false, axisLabelWidth: 56 },
        y: {
          axisLabelWidth: 60, axisLabelFormatter: (value) => inUnit(value, 1, unit),
          ...(marks && { ticker: () => marks.map((value) => ({ v: value, label: inUnit(value, 0, unit) })) }),
        },
      },
      highlightCallback: (event, time) => this.pointed(time),
    };
  }
}
