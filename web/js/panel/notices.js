import { element } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { icon } from '../shared/drawing/icons.js';

/** Most notices in the log, and most notices on top of the page. */
const kept = 5;
const shown = 3;
/** Time in milliseconds within which the same text counts as one notice. */
const sameFor = 3000;
/** Time in milliseconds for which a notice is shown, unless it has the pointer or the focus. */
const stays = 8000;

/** Messages about problems: above the page, which they push down, until dismissed or old, and the last few in a log. */
export class Notices {
  constructor(area) {
    this.area = area;
    this.recent = new Map();
    this.list = element('ol', { class: 'log' });
    this.log = card('Notices', 'Latest messages of the engine and of this page.', this.list);
    this.log.hidden = true;
  }

  /** Adds a text to the page and to the log. */
  add(text) {
    const now = performance.now();
    const last = this.recent.get(text);
    this.recent.set(text, now);
    if (last !== undefined && now - last < sameFor) return;
    this.keep(text);
    const notice = element('div', { class: 'notice' }, icon('warning', 20), element('p', {}, text),
      element('button', {
        type: 'button', class: 'notice-close', 'aria-label': 'Dismiss', title: 'Dismiss', onclick: () => notice.remove(),
      }, icon('close', 20)));
    this.area.append(notice);
    while (this.area.children.length > shown) this.area.firstElementChild.remove();
    this.#dismissLater(notice);
  }

  /** Adds a text to the log only, for messages from before the page was opened; `date` is the time of the message. */
  keep(text, date = new Date()) {
    const time = date.toTimeString().slice(0, 8);
    this.list.prepend(element('li', {}, element('time', {}, time), element('span', {}, text)));
    while (this.list.children.length > kept) this.list.lastElementChild.remove();
    this.log.hidden = false;
  }

  #dismissLater(notice) {
    setTimeout(() => {
      if (notice.matches(':hover, :focus-within')) this.#dismissLater(notice);
      else notice.remove();
    }, stays);
  }
}
