import { element, setText } from '../shared/drawing/element.js';
import { linkWords, peerName } from './camera-words.js';
import { LinkPlots } from './links/link-plots.js';

const part = (id) => document.getElementById(id);

/** The peers that receive this browser, and the questions of those that want to. */
export class ReceiverList {
  /** Rows and questions by the number of their link. */
  #rows = new Map();
  #questions = new Map();

  /**
   * @param events `{ send(message), stopped(peer), peerOf(number) }`: sends a message to the engine; notes that the user stops a peer;
   *   returns what is known of a peer
   */
  constructor(events) {
    this.events = events;
  }

  get count() {
    return this.#rows.size;
  }

  /** Number of those that receive pictures, not only sound. */
  get watching() {
    return [...this.#rows.values()].filter(({ hasPictures }) => hasPictures).length;
  }

  /** Asks the user about a peer. */
  ask(link, receiver) {
    if (this.#questions.has(link)) return;
    this.#remove(this.#rows, link);
    const answer = (type, words) => this.#button(words, () => this.events.send({ type, link }));
    const [allow, deny] = [answer('allow', 'Allow'), answer('deny', 'Refuse')];
    const words = element('p', {});
    const item = element('li', {}, words, element('div', { class: 'camera-answers' }, allow, deny));
    this.#questions.set(link, {
      element: item, receiver, name: (name) => {
        setText(words, `${name} wants to receive.`);
        allow.setAttribute('aria-label', `Allow ${name}`);
        deny.setAttribute('aria-label', `Refuse ${name}`);
      },
    });
    this.showNames();
    part('questions').append(item);
    this.#show();
  }

  /** Notes that a peer receives, pictures or only sound. */
  open(link, receiver, hasPictures = true) {
    this.#remove(this.#questions, link);
    if (this.#rows.has(link)) return;
    const [words, numbers] = [element('span', {}), element('small', {})];
    const stop = this.#button('Stop', () => {
      this.events.stopped(this.#rows.get(link)?.peer ?? {});
      this.events.send({ type: 'stop', link });
    });
    const plots = new LinkPlots(['rate', 'lost', 'trip', 'step'], 'Over time');
    const item = element('li', { class: 'camera-row' }, words, stop, numbers, plots.element);
    this.#rows.set(link, {
      element: item, numbers, plots, receiver, hasPictures, name: (name) => {
        setText(words, hasPictures ? name : `${name}: sound only`);
        stop.setAttribute('aria-label', `Stop ${name}`);
      },
    });
    this.showNames();
    part('receivers').append(item);
    this.#show();
  }

  #button(words, onclick) {
    return element('button', { type: 'button', class: 'plain', onclick }, words);
  }

  /** Shows the names of the receivers; a link may be known before its receiver. */
  showNames() {
    for (const entry of [...this.#rows.values(), ...this.#questions.values()]) {
      entry.peer = this.events.peerOf(entry.receiver) ?? entry.peer;
      entry.name(entry.peer ? peerName(entry.peer) : `Peer ${entry.receiver}`);
    }
  }

  close(link) {
    this.#remove(this.#rows, link);
    this.#remove(this.#questions, link);
    this.#show();
  }

  clear() {
    for (const link of [...this.#rows.keys(), ...this.#questions.keys()]) this.close(link);
  }

  /** Shows the engine's measurements of a link. */
  measure(reading) {
    const row = this.#rows.get(reading.link);
    if (!row) return;
    setText(row.numbers, `${linkWords(reading)}, ${Math.round(reading.trip)} ms to its receipt`);
    const { bitrate, skipped, late, trip, step } = reading;
    row.plots.take(performance.now() / 1000, { rate: bitrate / 1000, lost: skipped + late, trip, step });
  }

  #remove(table, link) {
    table.get(link)?.element.remove();
    table.delete(link);
  }

  #show() {
    part('receivers-none').hidden = this.#rows.size > 0;
  }
}
