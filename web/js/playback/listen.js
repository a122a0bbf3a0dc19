import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { ListenerSound, silence } from './listener-sound.js';
import { join } from './own-listener.js';
import { listenWords } from './listen-words.js';

/**
 * Button that plays the sound of a listener in this browser, with its volume and state.
 *
 * `diagnostics` holds the latest numbers of the player.
 */
export class Listen {
  /**
   * @param report called when the sound has ended by itself, with the reason and the remedy, a sentence each
   * @param joined called with the name of the listener that the engine has given this browser
   */
  constructor(report, joined = () => {}) {
    this.report = report;
    this.joined = joined;
    this.sound = null;
    this.diagnostics = silence;
    this.name = '1';
    this.rate = 48000;
    this.words = element('span', { class: 'listen-words' }, 'Listen');
    this.button = element('button', {
      type: 'button', class: 'listen', 'aria-pressed': 'false', onclick: () => this.toggle(),
    }, icon('headphones'), this.words);
    /** Its words are replaced, not their elements: a press on one that is taken away does not open the details. */
    this.short = element('span');
    this.long = element('span', { class: 'listen-long' });
    this.state = element('summary', { class: 'listen-state' }, this.short, this.long);
    this.details = element('ul', { class: 'listen-facts' });
    this.more = element('details', { class: 'listen-more', hidden: true }, this.state, this.details);
    this.volume = element('input', {
      type: 'range', min: 0, max: 1, step: 0.01, value: 1, 'aria-label': 'Volume', class: 'volume',
    });
    this.volume.style.setProperty('--share', 1);
    this.volume.addEventListener('input', () => this.#turnVolume());
    this.element = element('div', { class: 'listening' }, this.button,
      element('div', { class: 'listen-side' }, this.volume, this.more));
  }

  get isOn() {
    return this.sound !== null;
  }

  /** Selects the listener; playing restarts when it changes. */
  choose(name, rate) {
    const isOther = name !== this.name;
    this.name = name;
    if (rate >= 8000) this.rate = rate;
    if (!isOther || !this.sound) return;
    this.#stop();
    this.toggle();
  }

  toggle() {
    if (this.sound) this.#stop();
    else this.#start(this.name);
  }

  /** Plays a listener of this browser's own: the one that it had before a reload, or a new one. */
  join() {
    this.#stop();
    this.#start(join);
  }

  #start(name) {
    const sound = new ListenerSound(name, this.rate, {
      report: (numbers) => this.#show(numbers),
      waiting: () => {
        this.diagnostics = silence;
        this.#say('Waiting for the engine');
      },
      joined: (own) => {
        this.name = own;
        this.joined(own);
      },
      ended: (reason) => {
        this.#stop();
        this.report(reason, 'Press Listen to hear it again.');
      },
    });
    this.sound = sound;
    sound.setVolume(Number(this.volume.value));
    setAttribute(this.button, 'aria-pressed', true);
    setText(this.words, 'Listening');
    this.more.hidden = false;
    this.#say('Starting');
    sound.start().catch((error) => {
      if (this.sound !== sound) return;
      this.#stop();
      this.report(`This browser could not start the sound: ${error.message}.`, 'Press Listen to try again.');
    });
  }

  #stop() {
    this.sound?.stop();
    this.sound = null;
    this.diagnostics = silence;
    setAttribute(this.button, 'aria-pressed', false);
    setText(this.words, 'Listen');
    this.#say('');
    this.more.hidden = true;
  }

  #say(short, long = '') {
    setText(this.short, short);
    setText(this.long, long);
  }

  #turnVolume() {
    this.volume.style.setProperty('--share', this.volume.value);
    this.sound?.setVolume(Number(this.volume.value));
  }

  #show(numbers) {
    if (!this.sound) return;
    this.diagnostics = numbers;
    const words = listenWords(numbers);
    this.#say(words.short, words.long);
    if (this.more.open) this.details.replaceChildren(...words.facts.map((fact) => element('li', {}, fact)));
  }
}
