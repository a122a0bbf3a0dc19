import { card } from '../shared/controls/card.js';
import { element, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { sentence } from '../shared/numbers/sentence.js';
import { roles } from '../shared/tree/roles.js';

/** The MQTT broker: the connection's state in words, and what went over it. */
export default {
  topic: 'engine',
  needs: [roles.mqttState, roles.mqttProblem, roles.mqttBroker],
  shows: [roles.mqttState, roles.mqttProblem, roles.mqttBroker, roles.mqttPublished, roles.mqttReceived, roles.mqttRefused,
    roles.mqttDropped, roles.mqttLosses],
  owns: 'container',
  make: mqttCard,
};

/** The connection's state in a sentence. */
export function stateWords(broker, state) {
  switch (state) {
    case 'connecting': return `Connecting to ${broker}.`;
    case 'connected': return `Connected to ${broker}.`;
    case 'waiting': return `Not connected to ${broker}. The engine tries again within a minute.`;
    default: return 'No broker. Start the engine with --mqtt to share its state with other programs.';
  }
}

/** Numbers of messages since the start, and of lost connections, in words. */
export function countWords(published, received, refused, dropped, losses) {
  const number = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
  const parts = [`${number(published, 'message')} published`, `${number(received, 'command')} received`];
  if (refused > 0) parts.push(`${refused.toLocaleString('en')} refused`);
  if (dropped > 0) parts.push(`${dropped.toLocaleString('en')} dropped because too many came`);
  if (losses > 0) parts.push(`the broker lost ${losses === 1 ? 'once' : `${losses.toLocaleString('en')} times`}`);
  return `Since the start: ${parts.join(', ')}.`;
}

function mqttCard(page, [state, problem, broker]) {
  const counts = [roles.mqttPublished, roles.mqttReceived, roles.mqttRefused, roles.mqttDropped, roles.mqttLosses]
    .map((role) => page.root.find(role));
  const sign = element('span', { class: 'device-sign' }, icon('warning', 18));
  const words = element('p', {});
  const reason = element('p', { class: 'help' });
  const status = element('div', { class: 'device-state', role: 'status' }, sign, words, reason);
  const sum = element('p', { class: 'help' });
  const value = (node) => page.values.of(node)[0];

  function show() {
    const isOff = (value(state) ?? 'off') === 'off';
    setText(words, stateWords(value(broker) ?? '', value(state)));
    setText(reason, sentence(value(problem)));
    sign.hidden = !value(problem);
    status.classList.toggle('is-lost', Boolean(value(problem)));
    setText(sum, countWords(...counts.map((node) => value(node) ?? 0)));
    sum.hidden = isOff;
  }

  for (const node of [state, problem, broker, ...counts]) page.watch(node, show);
  return card('MQTT broker', 'Shares state and commands with other engines, dashboards and automation.',
    element('div', { class: 'device' }, status, sum));
}
