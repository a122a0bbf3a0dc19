import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';

/** Shortest part of a passage that is repeated, in seconds. */
const shortest = 0.5;
const seconds = (value) => `${value.toFixed(1)} s`;

/** Play and pause, the position in the passage, and the part of it that is repeated. */
export class PassageBar {
  constructor(send) {
    this.send = send;
    this.view = null;
    this.button = element('button', { type: 'button', class: 'round primary', onclick: () => this.toggle() });
    this.mark = element('div', { class: 'passage-mark', 'aria-hidden': 'true' });
    this.part = element('div', { class: 'passage-part', 'aria-hidden': 'true' });
    this.ends = ['Start of the repeated part', 'End of the repeated part'].map((label, index) => element('input', {
      type: 'range', min: 0, step: 0.1, 'aria-label': label, class: 'passage-end', oninput: () => this.#choose(index),
    }));
    this.time = element('span', { class: 'seek-time' }, seconds(0));
    this.length = element('span', { class: 'seek-time seek-end' });
    this.whole = element('button', {
      type: 'button', class: 'plain', onclick: () => send({ type: 'region', from: 0, to: this.view.length }),
    }, 'Repeat all');
    this.element = element('div', { class: 'passage' }, this.button, this.time,
      element('div', { class: 'passage-track' }, this.part, this.mark, this.ends), this.length, this.whole);
  }

  toggle() {
    this.send({ type: this.view?.isPlaying ? 'pause' : 'play' });
  }

  #choose(moved) {
    let [from, to] = this.ends.map((end) => Number(end.value));
    if (to - from < shortest) {
      if (moved === 0) from = Math.max(0, to - shortest);
      else to = from + shortest;
    }
    this.#showPart(from, to);
    this.send({ type: 'region', from, to });
  }

  #showPart(from, to) {
    const share = (value) => `${(100 * value) / (this.view?.length || 1)}%`;
    this.part.style.left = share(from);
    this.part.style.right = share((this.view?.length || 1) - to);
    [from, to].forEach((value, index) => setAttribute(this.ends[index], 'aria-valuetext', seconds(value)));
  }

  /** Shows a view of the test. */
  show(view) {
    const wasPlaying = this.view?.isPlaying;
    this.view = view;
    if (view.isPlaying !== wasPlaying) {
      this.button.replaceChildren(icon(view.isPlaying ? 'pause' : 'play'));
      setAttribute(this.button, 'aria-label', view.isPlaying ? 'Pause' : 'Play');
    }
    const [from, to] = view.region;
    this.ends.forEach((end, index) => {
      setAttribute(end, 'max', view.length);
      if (document.activeElement !== end) end.value = view.region[index];
    });
    this.#showPart(from, to);
    setText(this.length, seconds(view.length));
    this.whole.disabled = from <= 0.01 && to >= view.length - 0.01;
  }

  /** Shows the position in the passage, in seconds. */
  move(position) {
    setText(this.time, seconds(position));
    this.mark.style.left = `${Math.min(100, (100 * position) / (this.view?.length || 1))}%`;
  }
}
