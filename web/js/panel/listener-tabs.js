import { element, uniqueId } from '../shared/drawing/element.js';

/** Most listeners that get a tab each; more are chosen from a list. */
const mostTabs = 4;

/** A choice of the listener that is shown; null when there is only one. */
export function listenerTabs(listeners, current, choose) {
  if (listeners.length < 2) return null;
  return listeners.length > mostTabs ? list(listeners, current, choose) : tabs(listeners, current, choose);
}

function tabs(listeners, current, choose) {
  const name = uniqueId('listener');
  const tab = (listener) => element('label', { class: 'segment' },
    element('input', {
      type: 'radio', name, value: listener.name, checked: listener === current, onchange: () => choose(listener.name),
    }),
    element('span', {}, listener.title));
  return element('div', {
    class: 'segments listener-choice', role: 'radiogroup', 'aria-label': 'Listener',
  }, listeners.map(tab));
}

function list(listeners, current, choose) {
  const select = element('select', {
    class: 'listener-choice', 'aria-label': 'Listener', onchange: () => choose(select.value),
  }, listeners.map((listener) =>
    element('option', { value: listener.name, selected: listener === current }, listener.title)));
  return select;
}
