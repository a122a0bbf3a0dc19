import { element, setAttribute, setText, uniqueId } from './element.js';
import { card, controls } from './group.js';
import { icon } from './icons.js';
import { containerTitle } from './tree.js';

/** What the states of a tracker mean to a person. */
const stateWords = {
  none: 'none', waiting: 'waiting for its first pose', live: 'live', held: 'silent, the head is held',
  home: 'silent, the head is home',
};

/** The same for a tracker that does not turn the head. */
const asideWords = { live: 'live, another turns the head', held: 'silent, another turns the head' };

/** One tracker of the tree, by its roles. */
export class Tracker {
  constructor(container) {
    this.container = container;
    for (const [name, role] of Object.entries({
      source: 'tracker.source', listener: 'tracker.listener', state: 'tracker.state', inCharge: 'tracker.in-charge',
      pose: 'tracker.pose', rate: 'tracker.rate', age: 'tracker.age', recenter: 'tracker.recenter',
      orientation: 'tracker.orientation', problem: 'tracker.problem', calibrate: 'tracker.calibrate',
      cancel: 'tracker.cancel', guide: 'tracker.guide',
    })) this[name] = container.children.find((node) => node.has(role)) ?? null;
  }

  get title() {
    return containerTitle(this.container);
  }
}

/** Every tracker that can be attached, in the order of the tree. */
export const trackersOf = (root) => root.findAll('tracker.source').map((node) => new Tracker(node.parent));

/** The trackers that turn a listener's head, attached ones only. */
export const trackersAt = (trackers, values, listener) => trackers.filter((tracker) =>
  values.of(tracker.source)[0] && String(values.number(tracker.listener, 1)) === listener.name);

/** All trackers in one card, and a way to attach another; null when the engine knows of none. */
export function trackerCard(page, listeners) {
  const trackers = trackersOf(page.root);
  if (trackers.length === 0) return null;
  return card('Trackers', 'What turns heads. Alt and R recenters those of the head that is shown.',
    element('div', { class: 'trackers' }, trackers.map((tracker) => trackerPart(page, tracker, listeners))),
    attachForm(page, trackers));
}

function trackerPart(page, tracker, listeners) {
  const id = uniqueId('tracker');
  const name = element('h3', { id });
  const part = element('article', { class: 'tracker', 'aria-labelledby': id },
    element('div', { class: 'tracker-top' }, name, stateMark(page, tracker)),
    readings(page, tracker),
    problem(page, tracker),
    guide(page, tracker),
    element('div', { class: 'tracker-buttons' },
      button(page, tracker.recenter, 'Recenter', icon('centre', 20)),
      button(page, tracker.calibrate, 'Calibrate'),
      element('button', {
        type: 'button', class: 'plain tracker-remove', title: 'Remove', 'aria-label': 'Remove',
        onclick: () => page.send(tracker.source, ['']),
      }, icon('close', 20))),
    listeners.length > 1 ? listenerChoice(page, tracker, listeners) : null,
    element('details', { class: 'more' }, element('summary', {}, 'How it is worn'), controls(page, tracker.container)));
  page.watch(tracker.source, ([source]) => {
    part.hidden = !source;
    setText(name, source ?? '');
  });
  return part;
}

function button(page, node, words, picture = null) {
  return node && element('button', {
    type: 'button', class: 'plain', title: node.help, onclick: () => page.send(node, []),
  }, picture, words);
}

/** The state in words, and whether this one turns the head when there are others. */
function stateMark(page, tracker) {
  const words = element('span', {});
  const mark = element('p', { class: 'tracker-state' }, words);
  const show = () => {
    const state = page.values.of(tracker.state)[0] ?? 'none';
    const inCharge = page.values.of(tracker.inCharge)[0];
    const isAside = !inCharge && (state === 'live' || state === 'held');
    setAttribute(mark, 'data-state', isAside ? 'aside' : state);
    setText(words, isAside ? asideWords[state] : stateWords[state] ?? state);
  };
  page.watch(tracker.state, show);
  page.watch(tracker.inCharge, show);
  return mark;
}

function readings(page, tracker) {
  const reading = (words) => {
    const value = element('dd', {}, '–');
    return { value, part: element('div', {}, element('dt', {}, words), value) };
  };
  const [yaw, pitch, roll, rate, age] = ['yaw', 'pitch', 'roll', 'poses/s', 'age'].map(reading);
  page.watch(tracker.pose, (angles) => [yaw, pitch, roll].forEach(({ value }, index) => {
    setText(value, typeof angles[index] === 'number' ? `${Math.round(angles[index])}°` : '–');
  }));
  page.watch(tracker.rate, ([number]) => setText(rate.value, `${Math.round(number ?? 0)}`));
  page.watch(tracker.age, ([number]) => setText(age.value, ageText(number ?? 0)));
  return element('dl', { class: 'tracker-readings' }, [yaw, pitch, roll, rate, age].map(({ part }) => part));
}

/** An age in milliseconds, as short as it can be read. */
export function ageText(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.floor(milliseconds / 60_000)} min`;
}

function problem(page, tracker) {
  const words = element('span', {});
  const line = element('p', { class: 'tracker-problem', hidden: true }, icon('warning', 18), words);
  page.watch(tracker.problem, ([text]) => {
    line.hidden = !text;
    setText(words, text ?? '');
  });
  return line;
}

/** What a calibration asks for, spoken as it changes, with a way out. */
function guide(page, tracker) {
  const words = element('p', { role: 'status' });
  const cancel = button(page, tracker.cancel, 'Cancel');
  const box = element('div', { class: 'tracker-guide', hidden: true }, words, cancel);
  page.watch(tracker.guide, ([text]) => {
    box.hidden = !text;
    setText(words, text ?? '');
    if (cancel) setText(cancel, /^(Not c|C)alibrated/.test(text ?? '') ? 'Close' : 'Cancel');
  });
  return box;
}

function listenerChoice(page, tracker, listeners) {
  const id = uniqueId('field');
  const select = element('select', { id, onchange: () => page.send(tracker.listener, [Number(select.value)]) },
    listeners.map((listener) => element('option', { value: listener.name }, listener.title)));
  page.watch(tracker.listener, ([number]) => { select.value = String(number ?? 1); });
  return element('div', { class: 'control-line' }, element('label', { class: 'label', for: id }, 'Turns'), select);
}

function attachForm(page, trackers) {
  const id = uniqueId('text');
  const field = element('input', {
    type: 'text', id, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', placeholder: 'sparta:9010',
    'aria-describedby': `${id}-help`,
  });
  const form = element('form', {
    class: 'text-line',
    onsubmit: (event) => {
      event.preventDefault();
      const free = trackers.find((tracker) => !page.values.of(tracker.source)[0]);
      if (!field.value.trim() || !free) return;
      page.deliver([free.source, [field.value.trim()]]);
      field.value = '';
    },
  }, field, element('button', { type: 'submit', class: 'plain' }, 'Attach'));
  return element('div', { class: 'control tracker-attach' },
    element('div', { class: 'caption' },
      element('label', { class: 'label', for: id }, 'Another tracker'),
      element('p', { class: 'help', id: `${id}-help` }, trackers[0].source.help, ' ',
        element('a', { href: '/phone' }, 'A phone opens this page.'))),
    form);
}
