import { element } from './element.js';
import { card } from './group.js';
import { icon } from './icons.js';

/** So many notices are kept in the log, and so many lie over the page. */
const kept = 5;
const shown = 3;
/** The same words within this many milliseconds are one notice. */
const sameFor = 3000;
/** How long a notice lies over the page unless somebody is at it, in milliseconds. */
const stays = 15000;

/** What went wrong, in words: over the page until dismissed or old, and the last few in a log. */
export class Notices {
  constructor(area) {
    this.area = area;
    this.recent = new Map();
    this.list = element('ol', { class: 'log' });
    this.log = card('Notices', '', this.list);
    this.log.hidden = true;
  }

  add(text) {
    const now = performance.now();
    const last = this.recent.get(text);
    this.recent.set(text, now);
    if (last !== undefined && now - last < sameFor) return;
    this.keep(text);
    const notice = element('div', { class: 'notice' }, icon('warning', 20), element('p', {}, text),
      element('button', {
        type: 'button', class: 'notice-close', 'aria-label': 'Dismiss', onclick: () => notice.remove(),
      }, icon('close', 20)));
    this.area.append(notice);
    while (this.area.children.length > shown) this.area.firstElementChild.remove();
    this.#dismissLater(notice);
  }

  /** Into the log only: for what was said before the page was opened. */
  keep(text) {
    const time = new Date().toTimeString().slice(0, 8);
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
