import { control } from '../shared/controls/control.js';
import { genericNodes } from '../shared/controls/control-kind.js';
import { decibelText, placeOf, toDecibels } from '../shared/numbers/decibels.js';
import { element, setAttribute, setText, uniqueId } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { effectTitle } from './effect-panel.js';
import { presetBrowser } from './preset-browser.js';

/**
 * The head of the rack that is shown: the racks to choose from, levels, presets, sides, and the bypass of all effects.
 *
 * @param page ends with the rack
 * @param choose called with the path of another rack
 */
export function rackHead(page, racks, rack, choose) {
  const name = uniqueId('rack');
  const tabs = element('div', { class: 'segments rack-choice', role: 'radiogroup', 'aria-label': 'Rack' },
    racks.map((each) => element('label', { class: 'segment' },
      element('input', { type: 'radio', name, value: each.path, checked: each === rack, onchange: () => choose(each.path) }),
      element('span', {}, each.title))));
  return [tabs, meters(page, rack),
    element('div', { class: 'rack-tools' },
      rack.add && adder(page, rack.add), presetBrowser(page, rack), rack.side && sides(page, rack),
      rack.bypass && bypassAll(page, rack.bypass), files(page, rack))].filter(Boolean);
}

function adder(page, node) {
  const select = element('select', {
    class: 'rack-add', 'aria-label': node.title,
    onchange: () => {
      if (select.value) page.send(node, [select.value]);
      select.value = '';
    },
  }, element('option', { value: '' }, 'Add an effect'), node.choices.map((choice) =>
    element('option', { value: choice }, effectTitle(choice))));
  return select;
}

/** Levels before and after the rack, as far as the engine measures them. */
function meters(page, rack) {
  const { input, output } = rack.levels(page.root);
  const made = [input && meter(page, 'In', 'Input level', input), output && meter(page, 'Out', 'Output level', output)].filter(Boolean);
  return made.length > 0 ? element('div', { class: 'rack-meters' }, made) : null;
}

/** @param name the title in full, for screen readers */
function meter(page, title, name, nodes) {
  const fill = element('span', { class: 'meter-fill' });
  const bar = element('div', { class: 'effect-meter', role: 'img', 'aria-label': name }, fill);
  const words = element('span', { class: 'effect-number' }, '−∞ dB');
  const show = () => {
    const peak = Math.max(0, ...nodes.flatMap((node) => page.values.of(node)).filter(Number.isFinite));
    fill.style.setProperty('--share', placeOf(peak));
    bar.classList.toggle('is-over', toDecibels(peak) > 0);
    setText(words, `${decibelText(toDecibels(peak))} dB`);
  };
  for (const node of nodes) page.watch(node, show);
  return element('div', { class: 'rack-meter' }, element('span', { class: 'rack-meter-title' }, title), bar, words);
}

/** A switch that bypasses the whole rack. */
function bypassAll(page, node) {
  const button = element('button', {
    type: 'button', class: 'plain rack-bypass', 'aria-pressed': false, title: node.help,
    onclick: () => page.send(node, [button.getAttribute('aria-pressed') !== 'true']),
  }, icon('power', 18), node.title);
  page.watch(node, ([isBypassed]) => setAttribute(button, 'aria-pressed', Boolean(isBypassed)));
  return button;
}

/** Choice between the two sides of a rack, and a button that makes the other side equal. */
function sides(page, { side, copy }) {
  const name = uniqueId('side');
  const inputs = side.choices.map((choice) => element('input', {
    type: 'radio', name, value: choice, onchange: () => page.send(side, [choice]),
  }));
  const words = element('span', {});
  page.watch(side, ([now]) => {
    for (const input of inputs) input.checked = input.value === now;
    const other = side.choices.find((choice) => choice !== now);
    setText(words, `Copy to ${other}`);
  });
  return element('div', { class: 'rack-sides' },
    element('div', { class: 'segments', role: 'radiogroup', 'aria-label': side.title, title: side.help },
      inputs.map((input) => element('label', { class: 'segment' }, input, element('span', {}, input.value)))),
    copy && element('button', { type: 'button', class: 'plain', title: copy.help, onclick: () => page.send(copy, []) }, words));
}

/** The remaining controls of a rack, such as its latency and the removal of all effects. */
function files(page, rack) {
  const rest = genericNodes(rack.container).filter((node) => node.isReadable || node.type === 'N');
  if (rest.length === 0) return null;
  return element('details', { class: 'more' }, element('summary', {}, 'More'),
    element('div', { class: 'controls' }, rest.map((node) => control(page, node))));
}
