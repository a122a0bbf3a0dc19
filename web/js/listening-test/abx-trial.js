import { element, setAttribute } from '../shared/drawing/element.js';
import { soundButton } from './mushra-trial.js';

const letters = ['A', 'B', 'X'];

/** The page of an ABX trial: three sounds, and the answer which of two the third one is. */
export class ABXTrial {
  constructor(view, send) {
    this.view = view;
    this.send = send;
    this.buttons = letters.map((letter, sound) => soundButton(letter, letter, () => this.hear(sound), `Sound ${letter}`));
    this.answers = letters.slice(0, 2).map((letter, sound) => element('button', {
      type: 'button', class: 'plain', 'aria-pressed': 'false', onclick: () => send({ type: 'answer', sound }),
    }, `X is ${letter}`));
    this.element = element('section', { class: 'abx-trial', 'aria-label': 'Sounds' },
      element('div', { class: 'abx-sounds' }, this.buttons), element('div', { class: 'abx-answers' }, this.answers));
  }

  hear(sound) {
    this.send({ type: 'hear', sound });
  }

  /** Handles a key; true when it was one of the test's. */
  key(event) {
    const sound = letters.indexOf(event.key.toUpperCase());
    const place = sound < 0 ? ['1', '2', '3'].indexOf(event.key) : sound;
    if (place < 0) return false;
    this.hear(place);
    this.buttons[place].focus();
    return true;
  }

  show(view) {
    this.view = view;
    this.buttons.forEach((button, sound) => setAttribute(button, 'aria-pressed', view.heard === sound));
    this.answers.forEach((button, sound) => setAttribute(button, 'aria-pressed', view.scores[0] === sound));
  }

  get isAnswered() {
    return this.view.scores.length > 0;
  }

  get missing() {
    return this.isAnswered ? '' : 'Choose whether X is A or B.';
  }
}
