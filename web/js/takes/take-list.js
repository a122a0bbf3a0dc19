import { TakeRow } from './take-row.js';
import { shortName } from './takes.js';
import { confirmDialog } from '../shared/controls/confirm-dialog.js';
import { arrange, element, setText } from '../shared/drawing/element.js';
import { counted } from '../shared/numbers/units.js';

/** Takes that are shown before the list is asked for more. */
const fewest = 5;

/** The list of takes, the latest first, read again whenever the engine reports that it has changed. */
export class TakeList {
  #rows = new Map();
  #takes = [];
  #isWhole = false;
  #latest = 0;

  constructor(page, nodes, world) {
    [this.page, this.nodes, this.world] = [page, nodes, world];
    this.confirm = confirmDialog(page);
    this.list = element('ul', { class: 'takes', 'aria-label': 'Takes' });
    this.none = element('p', { class: 'help', role: 'status' });
    this.more = element('button', { type: 'button', class: 'plain takes-more', onclick: () => this.#showAll() });
    this.element = element('div', { class: 'take-list' }, this.none, this.list, this.more, this.confirm.element);
    page.watch(nodes.changes, () => this.#fetch());
    page.onEnd(() => {
      this.#latest = -1;
      for (const row of this.#rows.values()) row.row.end();
    });
  }

  async #fetch() {
    this.#latest += 1;
    const turn = this.#latest;
    let [takes, problem] = [[], ''];
    try {
      const response = await this.world.fetch('/takes', { headers: { Accept: 'application/json' }, cache: 'no-store' });
      if (response.ok) ({ takes } = await response.json());
      // The engine has not read its folder yet, and reports when it has.
      else if (response.status !== 503) problem = `The takes cannot be listed: ${(await response.text()).trim()}.`;
    } catch {
      problem = 'The takes cannot be listed: the connection was lost.';
    }
    if (turn === this.#latest) this.#show(takes.filter(({ state }) => state !== 'recording'), problem);
  }

  #show(takes, problem) {
    this.#takes = takes;
    setText(this.none, problem || 'No takes yet. Recorded takes are listed here with outline and files.');
    this.none.hidden = takes.length > 0;
    const shown = this.#isWhole ? takes : takes.slice(0, fewest);
    const rows = new Map();
    for (const take of shown) {
      const [text, known] = [JSON.stringify(take), this.#rows.get(take.name)];
      rows.set(take.name, known?.text === text ? known : { text, row: this.#row(take) });
    }
    for (const [name, known] of this.#rows) if (rows.get(name) !== known) known.row.end();
    this.#rows = rows;
    this.#place([...rows.values()].map(({ row }) => row.element));
    this.list.hidden = takes.length === 0;
    this.more.hidden = shown.length === takes.length;
    setText(this.more, `Show all ${counted(takes.length, 'take')}`);
  }

  #row(take) {
    return new TakeRow(take, (each, button) => this.#askToDelete(each, button));
  }

  #place(wanted) {
    const focused = this.list.contains(document.activeElement) ? document.activeElement : null;
    const index = [...this.list.children].findIndex((row) => row.contains(focused));
    arrange(this.list, wanted);
    if (!focused || focused.isConnected) return;
    wanted[Math.min(index, wanted.length - 1)]?.querySelector(focused.matches('.take-delete') ? '.take-delete' : 'button')?.focus();
  }

  #showAll() {
    this.#isWhole = true;
    this.#show(this.#takes, '');
    this.list.children[fewest]?.querySelector('summary')?.focus();
  }

  #askToDelete(take, button) {
    const title = shortName(take.name) || 'this take';
    this.confirm.ask(`Delete ${title}?`,
      `${take.name} goes to the trash. Its space is free once the trash has been emptied, on the page Library.`,
      'Delete', () => {
        button.focus();
        this.page.send(this.nodes.delete, [take.name]);
      });
  }
}
