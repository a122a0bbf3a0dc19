import { element } from '../shared/drawing/element.js';

/** Most lines that the list keeps. */
const most = 256;

/** Log lines of the engine, newest first. */
export class TelemetryLog {
  /** Lines that arrived while the list is held; null while it is not. */
  #held = null;

  constructor() {
    this.element = element('ol', { class: 'log', role: 'log', 'aria-label': 'Log', tabindex: 0 });
  }

  /** Adds lines, each `{ time, text }` with the time in seconds since 1970. */
  take(lines) {
    if (this.#held) {
      this.#held.push(...lines);
      return;
    }
    for (const { time, text } of lines) {
      const clock = new Date(time * 1000).toTimeString().slice(0, 8);
      this.element.prepend(element('li', {}, element('time', {}, clock), element('span', {}, text)));
    }
    while (this.element.children.length > most) this.element.lastElementChild.remove();
  }

  /** Stops the list, or adds the lines that arrived meanwhile. */
  hold(isHeld) {
    const lines = this.#held;
    this.#held = isHeld ? [] : null;
    if (lines) this.take(lines);
  }
}
