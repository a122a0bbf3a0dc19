import { card } from '../shared/controls/card.js';
import { element, setText } from '../shared/drawing/element.js';
import { boundOf, visible } from '../shared/numbers/histogram.js';
import { readoutText } from '../shared/numbers/units.js';

/** Counts of each bin from cumulative counts; the last bin has no upper bound. */
export function between({ cumulative, count }) {
  return [...cumulative, count].map((sum, index, sums) => sum - (sums[index - 1] ?? 0));
}

/** Motion-to-sound latency of poses as a table with bars: of the last five seconds, or since the start. */
export class LatencyHistogram {
  constructor() {
    this.body = element('tbody');
    this.note = element('p', { class: 'help' });
    this.isWhole = false;
    this.reading = null;
    const choice = ['Last 5 seconds', 'Since the start'].map((words, index) => element('label', { class: 'segment' },
      element('input', {
        type: 'radio', name: 'histogram', checked: index === 0,
        onchange: () => {
          this.isWhole = index === 1;
          this.draw();
        },
      }), element('span', {}, words)));
    this.table = element('table', { class: 'spread-table' },
      element('thead', {}, element('tr', {}, ['Up to', '', 'Poses'].map((word) => (word
        ? element('th', { scope: 'col' }, word) : element('td', {}))))), this.body);
    this.element = card('Latency distribution', 'Number of poses by motion-to-sound latency.',
      element('div', { class: 'segments', role: 'group', 'aria-label': 'Period' }, choice),
      this.table, this.note);
  }

  /** Takes a frame of the topic `latency`, and the index of the listener that is shown. */
  take(reading, listener) {
    this.reading = reading;
    this.listener = listener;
    this.draw();
  }

  draw() {
    const rows = this.reading ? this.#rows() : [];
    this.table.hidden = rows.length === 0;
    const most = Math.max(1, ...rows.map(([, count]) => count));
    while (this.body.children.length > rows.length) this.body.lastElementChild.remove();
    while (this.body.children.length < rows.length) {
      this.body.append(element('tr', {}, element('th', { scope: 'row' }), element('td', {}, element('i')), element('td')));
    }
    rows.forEach(([words, count], index) => {
      const [name, bar, number] = this.body.children[index].children;
      setText(name, words);
      setText(number, readoutText(count));
      bar.firstElementChild.style.width = `${(100 * count) / most}%`;
    });
    const listeners = this.reading?.listeners.length ?? 0;
    setText(this.note, rows.length === 0 ? 'No poses yet. Attach a tracker, or turn the head on the panel.'
      : this.isWhole && listeners > 1 ? 'All listeners together.' : '');
  }

  #rows() {
    if (this.isWhole) {
      const { bounds } = this.reading.histogram;
      const counts = between(this.reading.histogram);
      if (this.reading.histogram.count === 0) return [];
      return counts.map((count, index) => [
        index < bounds.length ? `${readoutText(bounds[index])}\u00a0ms` : 'more', count]);
    }
    const counts = this.reading.listeners[this.listener]?.histogram ?? [];
    const [from, to] = visible(counts);
    return counts.slice(from, to).map((count, index) => [
      from + index < counts.length - 1 ? `${readoutText(boundOf(from + index))}\u00a0ms` : 'more', count]);
  }
}
