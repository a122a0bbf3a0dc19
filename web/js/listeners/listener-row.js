import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { ceiling, floor, place, toDecibels } from '../shared/numbers/decibels.js';
import { latencyText, levelText, listenerTitle, placeText, poseText, rateText } from './listener-words.js';

/** Columns of the table; the last one holds commands. */
export const columns = ['Listener', 'Yaw, pitch, roll', 'Level', 'Method', 'Motion to sound', 'Poses per second', 'Heard at'];

/** A row of the table of listeners. Calls `choose`, `rename` and `remove` with what the engine reported last about the listener. */
export class ListenerRow {
  constructor({ choose, rename, remove }) {
    const command = (words, action) => element('button', { type: 'button', class: 'plain', onclick: () => action(this.listener) }, words);
    this.name = element('button', { type: 'button', class: 'listener-name', onclick: () => choose(this.listener) });
    this.level = new LevelBar();
    this.rename = command('Rename', rename);
    this.remove = command('Remove', remove);
    this.texts = columns.slice(3).map(() => element('span'));
    this.pose = element('span', { class: 'listener-pose' });
    const inside = [this.name, this.pose, this.level.element, ...this.texts];
    this.element = element('tr', { role: 'row', onclick: ({ target }) => target.closest('button') ?? choose(this.listener) },
      columns.map((title, index) => element('td', { role: 'cell', 'data-title': title }, inside[index])),
      element('td', { role: 'cell', class: 'listener-commands' }, this.rename, this.remove));
  }

  /** @param isShown whether the panel shows the listener's head */
  show(listener, isShown) {
    this.listener = listener;
    const title = listenerTitle(listener);
    if (this.title !== title) {
      this.title = title;
      this.name.replaceChildren(element('b', {}, String(listener.number)), listener.name);
      this.name.setAttribute('aria-label', title);
      this.rename.setAttribute('aria-label', `Rename ${title}`);
      this.remove.setAttribute('aria-label', `Remove ${title}`);
    }
    setAttribute(this.name, 'aria-pressed', isShown);
    setText(this.pose, poseText(listener.pose));
    this.level.show(listener.rms);
    [listener.method, latencyText(listener.motionToSound), rateText(listener.poses), placeText(listener)]
      .forEach((text, index) => setText(this.texts[index], text));
    this.remove.hidden = listener.isWired;
    this.remove.disabled = listener.clients > 0;
    setAttribute(this.remove, 'title', listener.clients > 0 ? 'It has clients. Disconnect them first.' : '');
  }
}

/** RMS of both ears, one above the other. */
class LevelBar {
  constructor() {
    this.bars = ['left', 'right'].map((ear) => element('div', { class: `listener-level-${ear}` }));
    this.element = element('div', {
      class: 'listener-level', role: 'meter', 'aria-label': 'Level', 'aria-valuemin': floor, 'aria-valuemax': ceiling,
    }, this.bars);
  }

  show(levels) {
    this.bars.forEach((bar, index) => { bar.style.transform = `scaleX(${place(toDecibels(levels[index] ?? 0))})`; });
    const loudest = Math.min(ceiling, Math.max(floor, toDecibels(Math.max(...levels))));
    setAttribute(this.element, 'aria-valuenow', Math.round(loudest));
    setAttribute(this.element, 'aria-valuetext', levelText(levels));
  }
}
