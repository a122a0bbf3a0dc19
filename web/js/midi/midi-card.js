import { MappingRow } from './mapping-row.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { control } from '../shared/controls/control.js';
import { namesIn } from '../session/session.js';
import { roles } from '../shared/tree/roles.js';

/** MIDI controllers: learning, the ports of engine and browser, all mappings, and program changes. */
export default {
  topic: 'effects',
  needs: [roles.midiLearn, roles.midiMessage],
  shows: [roles.midiLearn, roles.midiMessage, roles.midiMapping, roles.midiClear, roles.midiRack, roles.midiMoved, roles.midiInputs],
  owns: 'subtree',
  make: midiCard,
};

const browserWords = {
  off: 'The MIDI ports of this browser are not used.',
  refused: 'The browser did not allow access to its MIDI ports. Allow it in its settings for this address.',
  missing: 'MIDI ports are not available: this browser has no Web MIDI, or the address is not secure (see --tls).',
};

function midiCard(page, [learnNode], { midi }) {
  const { learn, browser } = midi;
  const learnButton = element('button', {
    type: 'button', class: 'plain', 'aria-pressed': false, title: 'Alt+M', onclick: () => learn.turn(!learn.isOn),
  }, 'Learn MIDI');
  const browserButton = element('button', {
    type: 'button', class: 'plain', 'aria-pressed': false,
    onclick: () => (browser.state === 'on' ? browser.stop() : browser.start()),
  }, 'MIDI of this browser');
  const browserLine = element('p', { class: 'help', role: 'status' });
  const show = () => {
    setAttribute(learnButton, 'aria-pressed', learn.isOn);
    setAttribute(browserButton, 'aria-pressed', browser.state === 'on');
    browserButton.disabled = browser.state === 'missing';
    setText(browserLine, browser.state === 'on'
      ? `On this browser’s computer: ${browser.names.join(', ') || 'no controller is connected yet'}.` : browserWords[browser.state]);
  };
  learn.onChange = show;
  browser.onChange = show;
  show();
  return card('MIDI', 'Controllers set parameters: choose Learn MIDI, operate a control of the panel, then move a knob.',
    element('div', { class: 'button-row midi-buttons' }, learnButton, browserButton), browserLine, inputs(page), moved(page),
    ...mappings(page), programs(page, learnNode.parent));
}

function inputs(page) {
  const line = element('p', { class: 'help' });
  page.watch(page.root.find(roles.midiInputs), ([text]) => {
    setText(line, `On the engine’s computer: ${namesIn(text).join(', ') || 'no controller is connected'}.`);
  });
  return line;
}

function moved(page) {
  const line = element('p', { class: 'help midi-moved' });
  page.watch(page.root.find(roles.midiMoved), ([text]) => setText(line, text ? `Last moved: ${text}` : 'No controller has moved yet.'));
  return line;
}

function mappings(page) {
  const none = element('p', { class: 'help' }, 
    'No mappings yet. To make one, press Learn MIDI, operate a control of the panel, then move a knob or press a key.');
  const list = element('ul', { class: 'midi-mappings', 'aria-label': 'Mappings' });
  const nodes = page.root.findAll(roles.midiMapping);
  const clear = page.root.find(roles.midiClear);
  const all = element('button', { type: 'button', class: 'plain', hidden: true, onclick: () => page.send(clear, []) }, clear.title);
  const rows = nodes.map((node) => new MappingRow(page, node));
  list.append(...rows.map((row) => row.element));
  const count = () => {
    const used = rows.filter((row) => row.mapping).length;
    none.hidden = used > 0;
    all.hidden = used < 2;
  };
  for (const node of nodes) page.watch(node, count);
  // Effects come and go, and their parameters have names only while they are there.
  page.onUpdate(() => rows.forEach((row) => row.show()));
  count();
  return [none, list, all];
}

/** The rack that program changes replace, and their channel. */
function programs(page, container) {
  const node = container.find(roles.midiRack);
  const racks = page.root.findAll(roles.rackPreset).map(({ parent }) => parent.path.replace(/^\/rack\//, ''));
  const select = element('select', { onchange: () => page.send(node, [select.value]), 'aria-label': node.title },
    element('option', { value: '' }, 'no rack'), racks.map((name) => element('option', { value: name }, name.replace('/', ' '))));
  page.watch(node, ([value]) => { select.value = value ?? ''; });
  return element('div', { class: 'controls' },
    element('div', { class: 'control' }, element('div', { class: 'control-line' },
      element('span', { class: 'label' }, 'Program changes load racks into'), select)),
    control(page, container.find(roles.midiProgramChannel)));
}
