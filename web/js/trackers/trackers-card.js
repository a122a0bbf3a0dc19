import { element, setAttribute, setText, uniqueId } from '../shared/drawing/element.js';
import { card, controls } from '../shared/controls/card.js';
import { picker, trackersOfList } from '../shared/controls/picker.js';
import { icon } from '../shared/drawing/icons.js';
import { ageText, trackersOf } from './tracker.js';
import { roles } from '../shared/tree/roles.js';

/** States of a tracker in words. */
const stateWords = {
  none: 'not attached', waiting: 'waiting for the first pose', live: 'live', held: 'silent; the head keeps its last pose',
  home: 'silent; the head has returned to the front',
};

/** The same for a tracker while another one controls the head. */
const asideWords = { live: 'live; another tracker has control', held: 'silent; another tracker has control' };

/** All trackers in one card, and a form that attaches another. */
export default {
  topic: 'trackers',
  needs: [roles.trackerSource],
  shows: [roles.trackerSource, roles.trackerListener, roles.trackerState, roles.inCharge, roles.trackerPose,
    roles.trackerRate, roles.trackerAge, roles.trackerRecenter, roles.trackerOrientation, roles.trackerProblem,
    roles.calibrate, roles.calibrationCancel, roles.guide],
  owns: 'container',
  make: trackersCard,
};

function trackersCard(page, nodes, { listeners }) {
  const trackers = trackersOf(page.root);
  const none = element('p', { class: 'help' }, 'No trackers yet. Attach one below, or open /phone on a phone.');
  const show = () => { none.hidden = trackers.some((tracker) => page.values.of(tracker.source)[0]); };
  for (const tracker of trackers) page.watch(tracker.source, show);
  show();
  return card('Trackers', 'Head trackers and the listeners that they control. Alt+R recenters the trackers of the selected listener.', none,
    element('div', { class: 'trackers' }, trackers.map((tracker) => trackerPart(page, tracker, listeners))),
    attachForm(page, trackers));
}

function trackerPart(page, tracker, listeners) {
  const id = uniqueId('tracker');
  const name = element('h3', { id });
  const part = element('article', { class: 'tracker', 'aria-labelledby': id },
    element('div', { class: 'tracker-top' }, name, removeButton(page, tracker), stateMark(page, tracker)),
    readings(page, tracker),
    problem(page, tracker),
    guide(page, tracker),
    element('div', { class: 'tracker-buttons' },
      button(page, tracker.recenter, 'Recenter', icon('centre', 20)),
      button(page, tracker.calibrate, 'Calibrate')),
    listeners.length > 1 || page.values.number(tracker.listener, 1) > 1 ? listenerChoice(page, tracker, listeners) : null,
    element('details', { class: 'more' }, element('summary', {}, 'Tracker settings'), controls(page, tracker.container)));
  page.watch(tracker.source, ([source]) => {
    part.hidden = !source;
    setText(name, source ?? '');
  });
  return part;
}

function removeButton(page, tracker) {
  return element('button', {
    type: 'button', class: 'plain tracker-remove', title: 'Remove tracker', 'aria-label': 'Remove tracker',
    onclick: () => page.send(tracker.source, ['']),
  }, icon('close', 20));
}

function button(page, node, words, picture = null) {
  return node && element('button', {
    type: 'button', class: 'plain', title: node.help, onclick: () => page.send(node, []),
  }, picture, words);
}

/** State in words, and whether another tracker has control of the head. */
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
  const show = () => {
    // Before the first pose, zeros stand for what is not known yet.
    const isKnown = !['none', 'waiting'].includes(page.values.of(tracker.state)[0] ?? 'none');
    const text = (number, words) => (isKnown && typeof number === 'number' ? words(number) : '–');
    const angles = page.values.of(tracker.pose);
    [yaw, pitch, roll].forEach(({ value }, index) => setText(value, text(angles[index], (angle) => `${Math.round(angle)}°`)));
    setText(rate.value, text(page.values.of(tracker.rate)[0], (number) => `${Math.round(number)}`));
    setText(age.value, text(page.values.of(tracker.age)[0], ageText));
  };
  for (const node of [tracker.state, tracker.pose, tracker.rate, tracker.age]) if (node) page.watch(node, show);
  return element('dl', { class: 'tracker-readings' }, [yaw, pitch, roll, rate, age].map(({ part }) => part));
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

/** Instructions of a calibration, announced as they change, with a button that cancels it. */
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
  page.watch(tracker.listener, ([number = 1]) => {
    // One on the network that is not shown has no tab, and no option so far.
    if (![...select.options].some(({ value }) => value === String(number))) {
      select.append(element('option', { value: number }, `Listener ${number}`));
    }
    select.value = String(number);
  });
  return element('div', { class: 'control-line' }, element('label', { class: 'label', for: id }, 'Listener'), select);
}

function attachForm(page, trackers) {
  const id = uniqueId('text');
  const kinds = page.root.find(roles.listedTrackers);
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
  }, field, kinds && picker(page, kinds, 'Choose the kind of tracker', trackersOfList, (source) => {
    field.value = source;
    field.focus();
  }), element('button', { type: 'submit', class: 'plain' }, 'Attach'));
  return element('div', { class: 'control tracker-attach' },
    element('div', { class: 'caption' },
      element('label', { class: 'label', for: id }, 'New tracker'),
      element('p', { class: 'help', id: `${id}-help` }, trackers[0].source.help, ' ',
        element('a', { href: '/phone' }, 'To use a phone, open this page on it.'))),
    form);
}
