import { card } from '../shared/controls/card.js';
import { uploadButton } from '../shared/controls/upload.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { nodesByRole } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';
import { namesIn } from './session.js';

/** Listening tests for the experimenter: the test, its participant, start and stop, and the results. */
export default {
  topic: 'session',
  needs: [roles.testDefinition, roles.listedTests],
  shows: [roles.testDefinition, roles.testParticipant, roles.testListener, roles.testSeed, roles.testStart, roles.testStop,
    roles.testState, roles.testRunning, roles.testPair, roles.testCompare, roles.testResult, roles.listedTests,
    roles.listedResults],
  owns: 'container',
  make: listeningTestCard,
};

function listeningTestCard(page) {
  const nodes = nodesByRole(page.root, {
    definition: roles.testDefinition, participant: roles.testParticipant, listener: roles.testListener, seed: roles.testSeed,
    start: roles.testStart, stop: roles.testStop, state: roles.testState, running: roles.testRunning, tests: roles.listedTests,
    results: roles.listedResults,
  });
  const test = element('select', { id: uniqueId('test') });
  const code = element('input', {
    type: 'text', id: uniqueId('test'), autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 40, required: true,
    pattern: '[A-Za-z0-9_\\-]+', title: 'Letters, digits, hyphens and underscores',
  });
  const listener = element('input', {
    type: 'number', id: uniqueId('test'), min: 1, step: 1, value: 1, inputmode: 'numeric', title: 'A listener of the sound device',
    max: page.values.number(page.root.find(roles.listenerWired), nodes.listener?.range?.maximum ?? null),
  });
  const seed = element('input', {
    type: 'number', id: uniqueId('test'), min: 0, max: nodes.seed?.range?.maximum, step: 1, placeholder: 'random', inputmode: 'numeric',
  });
  const start = element('button', { type: 'submit', class: 'plain' }, 'Start test');
  const stop = element('button', { type: 'button', class: 'plain', onclick: () => page.send(nodes.stop, []) }, 'Stop test');
  const state = element('p', { role: 'status', class: 'test-state' });
  const none = element('p', { class: 'help' },
    'No tests yet. Upload a definition (JSON), or put one into the tests folder of the engine; docs/listening-tests.md describes it.');
  const form = element('form', {
    class: 'test-form',
    onsubmit: (event) => {
      event.preventDefault();
      page.sendTogether([[nodes.definition, [test.value]], [nodes.participant, [code.value.trim()]],
        [nodes.listener, [Number(listener.value) || 1]], [nodes.seed, [Number(seed.value) || 0]], [nodes.start, []]]);
    },
  }, element('div', { class: 'test-choice' }, element('label', { for: test.id }, 'Test'), test),
  element('div', { class: 'test-fields' },
    element('label', {}, 'Participant', code), element('label', {}, 'Listener', listener), element('label', {}, 'Seed', seed)),
  element('div', { class: 'session-buttons' }, start, stop));
  const list = element('ul', { class: 'test-results' });
  const results = element('details', { class: 'more' }, element('summary', {}, 'Results'), list);
  page.watch(nodes.tests, ([text]) => {
    const chosen = test.value || page.values.of(nodes.definition)[0];
    const names = namesIn(text);
    test.replaceChildren(...names.map((name) => element('option', { value: name, selected: name === chosen }, name)));
    form.hidden = names.length === 0;
    none.hidden = names.length > 0;
  });
  page.watch(nodes.participant, ([text]) => {
    if (document.activeElement !== code) code.value = text ?? '';
  });
  page.watch(nodes.running, ([isRunning]) => {
    start.disabled = Boolean(isRunning);
    stop.disabled = !isRunning;
  });
  page.watch(nodes.state, ([text]) => {
    setText(state, text ?? '');
    state.hidden = !text;
  });
  page.watch(nodes.results, ([text]) => {
    const names = namesIn(text);
    results.hidden = names.length === 0;
    list.replaceChildren(...names.map((name) => element('li', {},
      element('a', { href: `/results/${encodeURIComponent(name)}`, download: name }, name))));
  });
  return card('Listening test', 'MUSHRA and A/B/X with hidden references. The participant answers on a separate page, which does not '
    + 'show the methods.',
  none, uploadButton(page, 'tests', { names: () => namesIn(page.values.of(nodes.tests)[0]).map((name) => `${name}.json`) }), form, state,
  element('p', { class: 'help test-link' }, 'Participant’s page: ',
    element('a', { href: '/listening-test', target: '_blank' }, `${location.origin}/listening-test`)),
  results);
}
