import { card } from '../shared/controls/card.js';
import { control } from '../shared/controls/control.js';
import { genericNodes } from '../shared/controls/control-kind.js';
import { element } from '../shared/drawing/element.js';
import { containerTitle } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

/** Cues as pads, each of which plays at every press. */
export default { topic: 'effects', needs: [roles.cuePlay], owns: 'container', make: cuesCard };

function cuesCard(page, [play]) {
  const names = play.choices ?? [];
  const pads = element('div', { class: 'cue-pads', role: 'group', 'aria-label': play.title }, names.map((name) => {
    const pad = element('button', { type: 'button', class: 'plain cue-pad' }, name);
    // The press itself, since a click comes when the finger is lifted.
    pad.addEventListener('pointerdown', (event) => event.button === 0 && page.send(play, [name]));
    pad.addEventListener('click', (event) => event.detail === 0 && page.send(play, [name]));
    return pad;
  }));
  const none = element('p', { class: 'help' }, 'No cues yet. Start the engine with --cues and a folder of sound files of at most 10 s.');
  return card(containerTitle(play.parent), play.parent.description, names.length > 0 ? pads : none,
    element('div', { class: 'controls' }, genericNodes(play.parent).map((node) => control(page, node))));
}
