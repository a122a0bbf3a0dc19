import { arrange, element, setText, uniqueId } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { ListenerPages, rows } from './listener-pages.js';
import { ListenerRow, columns } from './listener-row.js';
import { rangeText } from './listener-words.js';

/** Milliseconds without a key after which a search begins. */
const typing = 200;

/**
 * The table of listeners, with a search field and buttons for its pages. It is read while it can be seen.
 *
 * `memory` keeps the place in the table, its last page and the focus when the table is made again: `{ from, search, page, focused }`.
 */
export class ListenerTable {
  #rows = new Map();
  #search = 0;

  /**
   * @param shownName name of the listener whose head the panel shows
   * @param actions `{ choose, rename, remove }`, called with a listener
   */
  constructor(world, memory, shownName, actions) {
    this.world = world;
    this.memory = memory;
    this.shownName = shownName;
    this.actions = { ...actions, choose: (listener) => {
      memory.focused = this.element.contains(document.activeElement) ? listener.number : null;
      actions.choose(listener);
    } };
    this.pages = new ListenerPages(world, memory, (page) => this.#show(page), (text) => setText(this.problem, text));
    this.problem = element('p', { class: 'listener-problem', role: 'alert' });
    this.none = element('p', { class: 'help', hidden: true });
    this.field = element('input', {
      type: 'search', id: uniqueId('search'), placeholder: 'Number, name, method, place', autocomplete: 'off', spellcheck: 'false',
      maxlength: 100, oninput: () => this.#searchLater(),
    });
    this.field.value = memory.search;
    this.body = element('tbody', { role: 'rowgroup' });
    this.table = element('table', { class: 'listener-table', role: 'table', 'aria-label': 'Listeners' },
      element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' },
        columns.map((title) => element('th', { role: 'columnheader', scope: 'col' }, title)),
        element('th', { role: 'columnheader', scope: 'col', class: 'listener-commands' },
          element('span', { class: 'unseen' }, 'Commands')))),
      this.body);
    this.range = element('p', { role: 'status', class: 'listener-range' });
    this.back = this.#step('back', 'Previous listeners', -rows);
    this.forward = this.#step('forward', 'Next listeners', rows);
    this.element = element('div', { class: 'listener-list' },
      element('div', { class: 'listener-tools' },
        element('div', { class: 'listener-search', role: 'search' },
          element('label', { for: this.field.id }, 'Search'), this.field),
        element('div', { class: 'listener-steps' }, this.range, this.back, this.forward)),
      this.problem, this.none, this.table);
    if (memory.page) this.#show(memory.page);
    this.#watch();
  }

  end() {
    this.pages.stop();
    this.observer.disconnect();
    document.removeEventListener('visibilitychange', this.look);
    this.world.clearTimer(this.#search);
  }

  /** Reads the table at once, after a command. */
  refresh() {
    this.pages.go({});
  }

  /** Reads the table while it is in view. */
  #watch() {
    let isInView = false;
    this.look = () => (isInView && !document.hidden ? this.pages.start() : this.pages.stop());
    this.observer = new IntersectionObserver((entries) => {
      isInView = entries.at(-1).isIntersecting;
      this.look();
      this.#focus();
    });
    this.observer.observe(this.element);
    document.addEventListener('visibilitychange', this.look);
  }

  #searchLater() {
    this.world.clearTimer(this.#search);
    this.#search = this.world.setTimer(() => this.pages.go({ from: 0, search: this.field.value.trim() }), typing);
  }

  #step(shape, title, by) {
    return element('button', {
      type: 'button', class: 'plain listener-step', 'aria-label': title, title,
      onclick: () => this.pages.go({ from: Math.max(0, this.memory.from + by) }),
    }, icon(shape, 20));
  }

  #show(page) {
    this.memory.page = page;
    this.memory.from = page.from;
    setText(this.problem, '');
    setText(this.range, rangeText(page));
    this.back.disabled = page.from === 0;
    this.forward.disabled = page.from + page.listeners.length >= page.matching;
    this.none.hidden = page.matching > 0;
    setText(this.none, page.matching > 0 ? '' : `No listener matches “${this.memory.search}”. `
      + 'Search matches numbers, names, methods and the states device, listening, connected, kept and added.');
    this.table.hidden = page.matching === 0;
    const wanted = page.listeners.map((listener) => this.#row(listener));
    for (const number of this.#rows.keys()) if (!page.listeners.some((listener) => listener.number === number)) this.#rows.delete(number);
    arrange(this.body, wanted);
  }

  #row(listener) {
    if (!this.#rows.has(listener.number)) this.#rows.set(listener.number, new ListenerRow(this.actions));
    const row = this.#rows.get(listener.number);
    row.show(listener, String(listener.number) === this.shownName);
    return row.element;
  }

  /** Gives the focus back to the row that had it before the panel was made again. */
  #focus() {
    const row = this.#rows.get(this.memory.focused);
    this.memory.focused = null;
    if (row && !this.element.closest('[hidden]')) row.name.focus({ preventScroll: true });
  }
}
