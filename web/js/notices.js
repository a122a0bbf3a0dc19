import { element } from './element.js';
import { icon } from './icons.js';

/** So many notices stay; older ones go. */
const most = 4;
/** The same words within this many milliseconds are one notice. */
const sameFor = 3000;

/** What went wrong, in words; each notice stays until it is dismissed or pushed out. */
export class Notices {
  constructor(area) {
    this.area = area;
    this.recent = new Map();
  }

  add(text) {
    const now = performance.now();
    const last = this.recent.get(text);
    this.recent.set(text, now);
    if (last !== undefined && now - last < sameFor) return;
    const notice = element('div', { class: 'notice' }, icon('warning', 20), element('p', {}, text),
      element('button', { type: 'button', class: 'notice-close', 'aria-label': 'Dismiss', onclick: () => notice.remove() }, icon('close', 20)));
    this.area.append(notice);
    while (this.area.children.length > most) this.area.firstElementChild.remove();
  }
}
