import { textControl } from '../shared/controls/control.js';
import { element } from '../shared/drawing/element.js';
import { roles } from '../shared/tree/roles.js';

/** A field that loads another recording, for the card of the container that holds it; null for any other. */
export function recordingField(page, container) {
  const recording = page.root.find(roles.recording);
  return recording?.parent === container
    ? element('div', { class: 'control' }, ...textControl(page, recording, 'Load')) : null;
}
