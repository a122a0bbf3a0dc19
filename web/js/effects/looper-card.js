import { card } from '../shared/controls/card.js';
import { control } from '../shared/controls/control.js';
import { genericNodes } from '../shared/controls/control-kind.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { containerTitle } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

const { looperRecord, looperOverdub, looperPlay, looperUndo, looperRedo, looperClear } = roles;
const shown = [looperRecord, looperOverdub, looperPlay, looperUndo, looperRedo, looperClear, roles.looperState, roles.looperLength,
  roles.looperPosition, roles.looperCanUndo, roles.looperCanRedo];

/** Looper: its state and place, and its buttons as on a pedal. */
export default { topic: 'effects', needs: [roles.looperState], shows: shown, owns: 'container', make: looperCard };

/** Next action of the record button, and whether the other buttons have something to do, in each state. */
const steps = {
  empty: { state: 'Empty', record: 'Record' },
  waiting: { state: 'Waiting for the beat', record: 'Cancel' },
  recording: { state: 'Recording', record: 'End recording' },
  playing: { state: 'Playing', record: 'Overdub', play: 'Stop' },
  overdubbing: { state: 'Overdubbing', record: 'End overdub', play: 'Stop' },
  stopped: { state: 'Stopped', record: 'Play', play: 'Play' },
};

function looperCard(page, [state]) {
  const container = state.parent;
  const node = (role) => container.find(role);
  const words = element('strong', { role: 'status' });
  const length = element('span', { class: 'looper-length' });
  const fill = element('span', { class: 'meter-fill' });
  const bar = element('div', { class: 'effect-meter', role: 'img', 'aria-label': 'Place in the loop' }, fill);
  const button = (role, label, style = '') => element('button', {
    type: 'button', class: `plain ${style}`, title: node(role).help, onclick: () => page.send(node(role), []),
  }, label);
  const record = button(looperRecord, 'Record', 'looper-record');
  const play = button(looperPlay, 'Play');
  const undo = button(looperUndo, 'Undo overdub');
  const redo = button(looperRedo, 'Redo overdub');
  const clear = button(looperClear, 'Clear loop');
  const has = (role) => Boolean(page.values.of(node(role))[0]);
  const show = () => {
    const [now] = page.values.of(state);
    const step = steps[now] ?? steps.empty;
    setText(words, step.state);
    setText(record, step.record);
    setText(play, step.play ?? 'Play');
    play.disabled = !step.play;
    clear.disabled = now === 'empty';
    undo.disabled = !has(roles.looperCanUndo);
    redo.disabled = !has(roles.looperCanRedo);
    setAttribute(record, 'data-state', now ?? 'empty');
    const seconds = page.values.number(node(roles.looperLength));
    setText(length, now === 'empty' ? '' : `${seconds.toFixed(1)} s`);
    fill.style.setProperty('--share', now === 'empty' || now === 'recording' ? 0 : page.values.number(node(roles.looperPosition)));
  };
  for (const role of [roles.looperState, roles.looperLength, roles.looperPosition, roles.looperCanUndo, roles.looperCanRedo]) {
    page.watch(node(role), show);
  }
  show();
  return card(containerTitle(container), container.description,
    element('div', { class: 'looper-state' }, words, length), bar,
    element('div', { class: 'looper-buttons' }, record, play, undo, redo, clear),
    element('div', { class: 'controls' }, genericNodes(container).map((each) => control(page, each))));
}
