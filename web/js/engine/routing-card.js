import { card } from '../shared/controls/card.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { roles } from '../shared/tree/roles.js';
import { containerTitle, listenersOf } from '../shared/tree/tree.js';
import { RoutingGrid } from './routing-grid.js';
import { ears, pairOf, pairText, playedWords, pressed, shownChannels } from './routing.js';

/** Matrix of the listeners of the sound device and its channels. */
export default {
  topic: 'engine',
  needs: [roles.listenerOutput, roles.deviceChannels],
  isWide: true,
  make: routingCard,
};

const words = { both: 'Both ears', left: 'Left ear', right: 'Right ear' };

function routingCard(page, [output, channels], { memory }) {
  const wired = page.values.number(page.root.find(roles.listenerWired), Infinity);
  const rows = listenersOf(page.root).filter((listener) => Number(listener.name) <= wired).map(({ container }) => {
    const name = container.find(roles.listenerName);
    const title = () => [containerTitle(container), page.values.of(name)[0]].filter(Boolean).join(', ');
    return { title, name, node: container.find(roles.listenerOutput) };
  });
  if (!memory.has('routing')) memory.set('routing', { ear: 'both', all: false });
  const state = memory.get('routing');
  const pairs = () => rows.map(({ node }) => pairOf(page.values.of(node)[0]));
  const count = () => page.values.number(channels, 2);

  const text = element('span', {});
  const sign = element('span', { class: 'routing-sign', hidden: true }, icon('warning', 18));
  const status = element('p', { class: 'routing-status', role: 'status' }, sign, text);
  /** Index of the listener whose channels the status shows; null after a refusal. */
  let announced = null;
  const tell = (sentence, isRefusal) => {
    sign.hidden = !isRefusal;
    status.classList.toggle('is-refused', isRefusal);
    setText(text, sentence);
  };
  const send = (row, pair) => {
    announced = row;
    page.send(rows[row].node, [pairText(pair)]);
  };
  const grid = new RoutingGrid(rows, {
    press(row, channel, ear = state.ear) {
      const { pair, refusal } = pressed(pairs(), count(), rows.map((each) => each.title()), row, channel, ear);
      if (refusal === undefined) return send(row, pair);
      announced = null;
      return tell(refusal, true);
    },
    clear: (row) => send(row, null),
  });

  const more = element('button', {
    type: 'button', class: 'plain', onclick: () => {
      state.all = true;
      show();
    },
  });
  const missing = element('p', { class: 'routing-missing' });
  function show() {
    const [now, number] = [pairs(), count()];
    const shown = shownChannels(number, now, state);
    grid.show(now, shown);
    setText(more, `Show all ${number} channels`);
    more.hidden = shown === number;
    const lost = rows.flatMap((row, index) =>
      (now[index]?.some((channel) => channel > number) ? [playedWords(row.title(), now[index], number)] : []));
    setText(missing, lost.join(' '));
    missing.hidden = lost.length === 0;
    if (announced !== null) tell(playedWords(rows[announced].title(), now[announced], number), false);
  }
  for (const { node, name } of rows) for (const each of [node, name]) page.watch(each, show);
  page.watch(channels, show);
  return element('div', { class: 'cards routing' }, card(output.title,
    'Each listener is played on two channels of the sound device, one for each ear. Two listeners cannot share a channel.',
    earChoice(state), element('div', { class: 'routing-scroll' }, grid.element), status, missing, more,
    element('p', { class: 'help' },
      'Select a cell to play both ears there, or again to free it. Keys: L and R set one ear, Delete frees the listener’s channels.')));
}

/** The ear that a pressed cell sets. */
function earChoice(state) {
  const [name, label] = [uniqueId('ear'), uniqueId('ears')];
  const inputs = ears.map((ear) => {
    const input = element('input', { type: 'radio', name, value: ear, onchange: () => { state.ear = ear; } });
    input.checked = state.ear === ear;
    return element('label', { class: 'segment' }, input, element('span', {}, words[ear]));
  });
  return element('div', { class: 'routing-ears' }, element('span', { class: 'label', id: label }, 'A cell sets'),
    element('div', { class: 'segments', role: 'radiogroup', 'aria-labelledby': label }, inputs));
}
