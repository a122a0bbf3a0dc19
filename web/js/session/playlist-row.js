import { fileName } from '../playback/transport.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';

/**
 * One recording of the playlist: a button that plays it, a grip that moves it, and a button that removes it.
 *
 * `actions` are `play` and `remove`, called with this row; `move`, called with -1 or 1 as well; and `drag`, with the event.
 */
export class PlaylistRow {
  constructor(place, actions) {
    this.place = place;
    this.name = element('span', { class: 'playlist-name' });
    this.state = element('span', { class: 'playlist-state' });
    this.choose = element('button', {
      type: 'button', class: 'playlist-choose', title: 'Plays the recording. Alt+Up and Alt+Down move it, Delete removes it.',
      onclick: () => actions.play(this),
      onkeydown: (event) => {
        const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
        if (by) actions.move(this, by);
        else if (event.key === 'Delete') actions.remove(this);
        else return;
        event.preventDefault();
      },
    }, element('span', { class: 'playlist-number' }, String(place)), this.name, this.state);
    this.grip = element('span', { class: 'playlist-grip', 'aria-hidden': 'true', onpointerdown: (event) => actions.drag(this, event) },
      icon('grip', 20));
    this.remove = element('button', {
      type: 'button', class: 'playlist-remove', title: 'Remove', onclick: () => actions.remove(this),
    }, icon('close', 20));
    this.element = element('li', { class: 'playlist-row' }, this.grip, this.choose, this.remove);
  }

  show(name, isCurrent) {
    const short = fileName(name);
    setText(this.name, short);
    setText(this.state, isCurrent ? 'Loaded' : '');
    setAttribute(this.choose, 'title', `${name}: plays it. Alt+Up and Alt+Down move it, Delete removes it.`);
    setAttribute(this.remove, 'aria-label', `Remove ${short}`);
    if (isCurrent) setAttribute(this.choose, 'aria-current', 'true');
    else this.choose.removeAttribute('aria-current');
  }

  /** @param side `before` or `behind`, where a dragged row would be dropped, or an empty text */
  mark(side) {
    setAttribute(this.element, 'data-drop', side);
  }

  focus() {
    this.choose.focus();
  }
}
