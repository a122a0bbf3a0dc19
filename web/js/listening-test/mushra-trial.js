import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { adjectives, scoreText } from './scale.js';

/** Milliseconds between two messages of a slider that moves. */
const interval = 60;

/** Milliseconds for which the engine's answer to a rating is awaited; until then, older views do not move the slider back. */
const patience = 2000;

/** The page of a MUSHRA trial: the reference, and a button and a slider for each sound. */
export class MushraTrial {
  constructor(view, send) {
    this.send = send;
    this.view = view;
    this.sent = new Map();
    this.reference = soundButton('Reference', '0', () => this.hear(0));
    this.rows = Array.from({ length: view.sounds }, (_, index) => this.#row(index + 1));
    this.element = element('section', { class: 'mushra', 'aria-label': 'Sounds' },
      element('div', { class: 'mushra-reference' }, this.reference),
      element('div', { class: 'mushra-scale', 'aria-hidden': 'true' }, adjectives.map((word, index) =>
        element('span', {}, word, element('small', {}, `${80 - 20 * index}–${100 - 20 * index}`)))),
      element('ol', { class: 'mushra-sounds' }, this.rows.map(({ item }) => item)));
  }

  #row(sound) {
    const button = soundButton(String(sound), String(sound), () => this.hear(sound), `Sound ${sound}`);
    const slider = element('input', {
      type: 'range', min: 0, max: 100, step: 1, value: 0, 'aria-label': `Rating of sound ${sound}`, class: 'mushra-slider',
      oninput: () => this.rate(sound, Number(slider.value)),
      // A rating of 0 moves nothing, so the slider reports no change.
      onpointerup: () => this.rate(sound, Number(slider.value)),
      onkeydown: (event) => {
        if (['Home', 'ArrowLeft', 'ArrowDown'].includes(event.key) && slider.value === '0') this.rate(sound, 0);
      },
      onfocus: () => {
        if (this.view.heard !== sound && slider.matches(':focus-visible')) this.hear(sound);
      },
    });
    const value = element('output', { class: 'mushra-value' }, '–');
    return { button, slider, value, item: element('li', { class: 'mushra-sound' }, button, slider, value) };
  }

  hear(sound) {
    this.asked = { sound, deadline: performance.now() + patience };
    this.send({ type: 'hear', sound });
  }

  /** The sound that keys rate: the one asked for last, also before the engine has answered. */
  get #chosen() {
    if (this.asked && (this.asked.sound === this.view.heard || performance.now() > this.asked.deadline)) this.asked = undefined;
    return this.asked?.sound ?? this.view.heard;
  }

  /** Rates a sound; a slider that moves is sent a few times a second, and where it ends. */
  rate(sound, score) {
    const state = this.sent.get(sound) ?? {};
    state.score = score;
    this.sent.set(sound, state);
    this.#showScore(sound, score);
    if (state.timer) return;
    this.send({ type: 'rate', sound, score });
    state.last = state.awaited = score;
    state.deadline = performance.now() + patience;
    state.timer = setTimeout(() => {
      state.timer = null;
      if (state.score !== score) this.rate(sound, state.score);
    }, interval);
  }

  /** Sends ratings that wait for their turn; before the next trial begins, or the page is left. */
  flush() {
    for (const [sound, state] of this.sent) {
      if (!state.timer) continue;
      clearTimeout(state.timer);
      state.timer = null;
      if (state.score !== state.last) this.send({ type: 'rate', sound, score: state.score });
    }
  }

  #showScore(sound, score) {
    const { slider, value, item } = this.rows[sound - 1];
    item.classList.toggle('is-rated', score !== null);
    slider.value = score ?? 0;
    slider.style.setProperty('--share', (score ?? 0) / 100);
    setAttribute(slider, 'aria-valuetext', scoreText(score));
    setText(value, score === null ? '–' : String(Math.round(score)));
  }

  /** Handles a key; true when it was one of the test's. */
  key(event) {
    if (/^[0-9]$/.test(event.key) || event.key.toLowerCase() === 'r') {
      const sound = event.key.toLowerCase() === 'r' ? 0 : Number(event.key);
      if (sound > this.view.sounds) return false;
      this.hear(sound);
      (sound === 0 ? this.reference : this.rows[sound - 1].slider).focus({ preventScroll: false });
      return true;
    }
    // Arrow keys move the slider of the sound that is heard, wherever the focus is.
    const step = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
    const sound = this.#chosen;
    if (!step || sound === 0 || event.target.type === 'range') return false;
    const known = this.view.scores[sound - 1];
    const score = (this.#isNewer(sound, known) ? this.sent.get(sound).score : known) ?? 0;
    this.rate(sound, Math.min(100, Math.max(0, score + step * (event.shiftKey ? 5 : 1))));
    return true;
  }

  show(view) {
    this.view = view;
    setAttribute(this.reference, 'aria-pressed', view.heard === 0);
    this.rows.forEach(({ button, item }, index) => {
      const sound = index + 1;
      setAttribute(button, 'aria-pressed', view.heard === sound);
      item.classList.toggle('is-heard', view.heard === sound);
      if (!this.#isNewer(sound, view.scores[index])) this.#showScore(sound, view.scores[index]);
    });
  }

  /** Whether the slider is ahead of a view of the engine. */
  #isNewer(sound, score) {
    const state = this.sent.get(sound);
    if (!state) return false;
    if (state.awaited === score || performance.now() > state.deadline) state.awaited = undefined;
    return Boolean(state.timer) || state.awaited !== undefined;
  }

  get isAnswered() {
    return this.view.scores.every((score) => score !== null);
  }

  /** The work that is left, in words; empty when none is. */
  get missing() {
    const open = this.view.scores.flatMap((score, index) => (score === null ? [index + 1] : []));
    if (open.length > 0) return `Not rated yet: ${open.join(', ')}.`;
    return this.view.scores.some((score) => score === 100) ? ''
      : 'One of the sounds is the reference itself, and would be rated 100.';
  }
}

/** A button that plays a sound, with its key. */
export function soundButton(title, key, action, label = title) {
  return element('button', {
    type: 'button', class: 'sound', 'aria-pressed': 'false', 'aria-label': label, 'aria-keyshortcuts': key, onclick: action,
  }, element('span', {}, title), title === key ? null : element('kbd', { 'aria-hidden': 'true' }, key));
}
