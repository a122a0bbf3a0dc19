import { element, uniqueId } from './element.js';

/** The choice of a listener; null when there is only one. */
export function listenerTabs(listeners, current, choose) {
  if (listeners.length < 2) return null;
  const name = uniqueId('listener');
  return element('div', { class: 'segments listener-tabs', role: 'radiogroup', 'aria-label': 'Listener' },
    listeners.map((listener) => element('label', { class: 'segment' },
      element('input', { type: 'radio', name, value: listener.name, checked: listener === current, onchange: () => choose(listener.name) }),
      element('span', {}, listener.title))));
}
