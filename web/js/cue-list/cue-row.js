import { actionWords, timingWords } from './cue.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';

/**
 * One cue of the list: a button that puts it on standby, and buttons that fire and edit it.
 *
 * `actions` are `select`, `fire`, `edit` and `move`, each called with this row; `move` with -1 or 1 as well.
 */
export class CueRow {
  constructor(node, actions) {
    this.node = node;
    this.number = element('span', { class: 'cue-number' });
    this.title = element('span', { class: 'cue-title' });
    this.words = element('span', { class: 'cue-words' });
    this.state = element('span', { class: 'cue-state' });
    this.choose = element('button', {
      type: 'button', class: 'cue-choose', title: 'Puts the cue on standby. Alt+Up and Alt+Down move it.',
      onclick: () => actions.select(this),
      onkeydown: (event) => {
        const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
        if (!by) return;
        event.preventDefault();
        actions.move(this, by);
      },
    }, this.number, element('span', { class: 'cue-text' }, this.state, this.title, this.words));
    this.buttons = [['fire', 'play', 'Fire'], ['edit', 'more', 'Edit']].map(([name, shape, title]) => [
      title, element('button', { type: 'button', class: 'cue-button', title, onclick: () => actions[name](this) }, icon(shape, 20)),
    ]);
    this.element = element('li', { class: 'cue-row' }, this.choose, ...this.buttons.map(([, button]) => button));
  }

  /** @param state `standby`, `waiting`, `current` or an empty text */
  show(cue, state) {
    this.cue = cue;
    const action = actionWords(cue.action);
    const timing = timingWords(cue);
    setText(this.number, cue.number);
    setText(this.title, cue.name || action);
    setText(this.words, [cue.name ? action : '', timing].filter(Boolean).join('; '));
    setText(this.state, { standby: 'Standby', waiting: 'Waiting', current: 'Fired' }[state] ?? '');
    setAttribute(this.element, 'data-state', state);
    if (state === 'standby') setAttribute(this.choose, 'aria-current', 'true');
    else this.choose.removeAttribute('aria-current');
    for (const [title, button] of this.buttons) setAttribute(button, 'aria-label', `${title} cue ${cue.number}`);
  }
}
