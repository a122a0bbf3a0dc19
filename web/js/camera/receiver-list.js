import { element, setText } from '../shared/drawing/element.js';
import { linkWords, peerName } from './camera-words.js';

const part = (id) => document.getElementById(id);

/** The peers that receive this browser, and the questions of those that want to. */
export class ReceiverList {
  /** Rows and questions by the number of their link. */
  #rows = new Map();
  #questions = new Map();

  /** @param {function(object)} send sends a message to the engine */
  constructor(send) {
    this.send = send;
  }

  get count() {
    return this.#rows.size;
  }

  /** Asks the user about a peer. */
  ask(link, peer) {
    if (this.#questions.has(link)) return;
    this.#remove(this.#rows, link);
    const name = peerName(peer);
    const answer = (type, words) => element('button', {
      type: 'button', class: 'plain', 'aria-label': `${words} ${name}`, onclick: () => this.send({ type, link }),
    }, words);
    const item = element('li', {}, element('p', {}, `${name} wants to receive.`),
      element('div', { class: 'camera-answers' }, answer('allow', 'Allow'), answer('deny', 'Refuse')));
    this.#questions.set(link, { element: item });
    part('questions').append(item);
    this.#show();
  }

  /** Notes that a peer receives. */
  open(link, peer) {
    this.#remove(this.#questions, link);
    if (this.#rows.has(link)) return;
    const name = peerName(peer);
    const numbers = element('small', {});
    const item = element('li', { class: 'camera-row' }, element('span', {}, name), element('button', {
      type: 'button', class: 'plain', 'aria-label': `Stop ${name}`, onclick: () => this.send({ type: 'stop', link }),
    }, 'Stop'), numbers);
    this.#rows.set(link, { element: item, numbers });
    part('receivers').append(item);
    this.#show();
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
    if (row) setText(row.numbers, `${linkWords(reading)}, ${Math.round(reading.trip)} ms to its receipt`);
  }

  #remove(table, link) {
    table.get(link)?.element.remove();
    table.delete(link);
  }

  #show() {
    part('receivers-none').hidden = this.#rows.size > 0;
  }
}
