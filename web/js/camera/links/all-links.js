import { element, setText } from '../../shared/drawing/element.js';
import { linkWords } from '../camera-words.js';
import { LinkPlots } from './link-plots.js';

/** Measurements of the links between other browsers, each with its plots. They are asked for while the list is unfolded. */
export class AllLinks {
  #rows = new Map();

  /** @param events `{ send(message), nameOf(peer), clock }`: sends a message to the engine; the name of a peer; milliseconds */
  constructor(events) {
    this.events = events;
    this.list = element('ul', { class: 'camera-receivers', 'aria-label': 'Links between others' });
    this.none = element('p', { class: 'help' }, 'No links between other browsers.');
    this.element = element('details', { class: 'more', ontoggle: () => this.ask() },
      element('summary', {}, 'Links between others'), this.none, this.list);
  }

  /** Asks for all links while they are shown; again after a new connection. */
  ask() {
    const isOpen = this.element.open;
    this.events.send({ type: 'links', all: isOpen });
    if (!isOpen) this.clear();
  }

  /** Shows the links among `links` at neither of whose ends this browser is. */
  show(links, own) {
    if (!this.element.open) return;
    const others = links.filter(({ sender, receiver, open }) => open && sender !== own && receiver !== own);
    for (const link of this.#rows.keys()) if (!others.some((each) => each.link === link)) this.#remove(link);
    for (const reading of others) this.#measure(reading);
    this.none.hidden = others.length > 0;
  }

  clear() {
    for (const link of [...this.#rows.keys()]) this.#remove(link);
    this.none.hidden = false;
  }

  #measure(reading) {
    const row = this.#rows.get(reading.link) ?? this.#add(reading.link);
    const seconds = this.events.clock() / 1000;
    const { bitrate, height, frames, skipped, late, trip, step } = reading;
    const rate = row.before && seconds > row.before.seconds ? (frames - row.before.frames) / (seconds - row.before.seconds) : undefined;
    row.before = { seconds, frames };
    setText(row.names, `${this.events.nameOf(reading.sender)} to ${this.events.nameOf(reading.receiver)}`);
    setText(row.numbers, `${linkWords({ ...reading, rate: height > 0 ? rate : undefined })}, ${Math.round(trip)} ms to its receipt`);
    row.plots.take(seconds, { rate: bitrate / 1000, lines: height || NaN, pictures: rate, lost: skipped + late, trip, step });
  }

  #add(link) {
    const [names, numbers] = [element('span', {}), element('small', {})];
    const plots = new LinkPlots(['rate', 'lines', 'pictures', 'lost', 'trip', 'step'], 'Over time');
    const row = { names, numbers, plots, before: null, element: element('li', { class: 'camera-row' }, names, numbers, plots.element) };
    this.#rows.set(link, row);
    this.list.append(row.element);
    return row;
  }

  #remove(link) {
    this.#rows.get(link).element.remove();
    this.#rows.delete(link);
  }
}
