import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { cellWords, earOn, holderOf } from './routing.js';

/** Steps of the focus by key: rows and columns. */
const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * A grid of listeners and channels. One cell has the focus, which the arrow keys move; Home and End go to the ends of a row, with
 * Ctrl to those of the grid.
 */
export class RoutingGrid {
  #cells = [];
  #place = [0, 0];

  /**
   * @param rows `{ title, node }` of each listener; `title()` returns its words
   * @param act `press(listener, channel, ear)`, whose `ear` is undefined for the chosen one, and `clear(listener)`
   */
  constructor(rows, act) {
    this.rows = rows;
    this.act = act;
    this.titles = rows.map(() => element('span', {}));
    this.head = element('tr', { role: 'row' });
    this.body = element('tbody', { role: 'rowgroup' });
    this.element = element('table', { class: 'routing-grid', role: 'grid', 'aria-label': 'Device channels of listeners' },
      element('thead', { role: 'rowgroup' }, this.head), this.body);
    this.element.onkeydown = (event) => this.#key(event);
    this.element.onclick = (event) => {
      const cell = event.target.closest('[role="gridcell"]');
      if (!cell) return;
      const [row, column] = this.#placeOf(cell);
      this.#move(row, column);
      act.press(row, column + 1);
    };
    this.element.addEventListener('focusin', (event) => {
      const cell = event.target.closest('[role="gridcell"]');
      if (cell) this.#mark(...this.#placeOf(cell));
    });
  }

  /** Shows the pairs of all listeners on a number of channels. */
  show(pairs, channels) {
    if (this.#cells[0]?.length !== channels) this.#make(channels);
    const titles = this.rows.map((row) => row.title());
    titles.forEach((title, row) => setText(this.titles[row], title));
    this.#cells.forEach((cells, row) => cells.forEach((cell, column) => {
      const channel = column + 1;
      const ear = earOn(pairs[row], channel);
      const isTaken = !ear && holderOf(pairs, channel) >= 0;
      setText(cell, ear ? ear[0].toUpperCase() : '');
      setAttribute(cell, 'class', ear ? `is-${ear}` : isTaken ? 'is-taken' : '');
      setAttribute(cell, 'aria-selected', Boolean(ear));
      setAttribute(cell, 'aria-disabled', isTaken);
      setAttribute(cell, 'aria-label', cellWords(pairs, titles, row, channel));
    }));
  }

  #make(channels) {
    const numbers = Array.from({ length: channels }, (_, index) => index + 1);
    this.head.replaceChildren(element('th', { role: 'columnheader', scope: 'col' }, 'Listener'),
      ...numbers.map((number) => element('th', { role: 'columnheader', scope: 'col', 'aria-label': `Channel ${number}` }, String(number))));
    this.#cells = this.rows.map(() => numbers.map(() => element('td', { role: 'gridcell', tabindex: '-1' })));
    this.body.replaceChildren(...this.#cells.map((cells, row) =>
      element('tr', { role: 'row' }, element('th', { role: 'rowheader', scope: 'row' }, this.titles[row]), cells)));
    this.#mark(Math.min(this.#place[0], this.rows.length - 1), Math.min(this.#place[1], channels - 1));
  }

  #placeOf(cell) {
    const row = this.#cells.findIndex((cells) => cells.includes(cell));
    return [row, this.#cells[row].indexOf(cell)];
  }

  /** Makes a cell the one that the tab key reaches. */
  #mark(row, column) {
    this.#cells[this.#place[0]]?.[this.#place[1]]?.setAttribute('tabindex', '-1');
    this.#place = [row, column];
    this.#cells[row]?.[column]?.setAttribute('tabindex', '0');
  }

  #move(row, column) {
    this.#mark(row, column);
    this.#cells[row][column].focus();
  }

  #key(event) {
    if (event.altKey || event.metaKey || !event.target.closest('[role="gridcell"]')) return;
    const [row, column] = this.#place;
    const last = [this.rows.length - 1, this.#cells[0].length - 1];
    const inRange = (number, most) => Math.min(Math.max(number, 0), most);
    const step = steps[event.key];
    const key = event.key.toLowerCase();
    if (step && !event.ctrlKey) this.#move(inRange(row + step[0], last[0]), inRange(column + step[1], last[1]));
    else if (key === 'home') this.#move(event.ctrlKey ? 0 : row, 0);
    else if (key === 'end') this.#move(event.ctrlKey ? last[0] : row, last[1]);
    else if (event.ctrlKey) return;
    else if (key === 'enter' || key === ' ') this.act.press(row, column + 1);
    else if (key === 'l' || key === 'r') this.act.press(row, column + 1, key === 'l' ? 'left' : 'right');
    else if (key === 'delete' || key === 'backspace') this.act.clear(row);
    else return;
    event.preventDefault();
  }
}
