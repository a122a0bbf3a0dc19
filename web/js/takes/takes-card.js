import { TakeList } from './take-list.js';
import { takeRecorder } from './take-recorder.js';
import { takeSettings } from './take-settings.js';
import { shownRoles, takesOf } from './takes.js';
import { card } from '../shared/controls/card.js';
import { element } from '../shared/drawing/element.js';
import { roles } from '../shared/tree/roles.js';

/** Takes: the record button with the settings of the next take, and the list of takes. */
export default { topic: 'session', needs: [roles.takeStart], shows: shownRoles, owns: 'subtree', make: takesCard };

function takesCard(page, _, { world }) {
  const nodes = takesOf(page.root);
  return card('Takes', 'Recordings of the live sound, with the motion of all heads and objects, and the session.',
    element('div', { class: 'take-control' }, takeRecorder(page, nodes), takeSettings(page, nodes)),
    element('h3', { class: 'takes-title' }, 'Recorded takes'), new TakeList(page, nodes, world).element);
}
