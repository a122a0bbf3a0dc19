import { roles } from '../shared/tree/roles.js';
import { connectionCard, counted } from './connection.js';

const countRoles = [roles.mqttPublished, roles.mqttReceived, roles.mqttRefused, roles.mqttDropped, roles.mqttLosses];

/** The MQTT broker: the connection's state in words, and what went over it. */
export default {
  topic: 'engine',
  needs: [roles.mqttState, roles.mqttProblem, roles.mqttBroker],
  shows: [roles.mqttState, roles.mqttProblem, roles.mqttBroker, ...countRoles],
  owns: 'container',
  make: (page, nodes) => connectionCard(page, 'MQTT broker', 'Shares state and commands with other engines, dashboards and automation.',
    'No broker. Start the engine with --mqtt to share its state with other programs.', nodes,
    countRoles.map((role) => page.root.find(role)), countWords),
};

/** Numbers of messages since the start, and of lost connections, in words. */
export function countWords(published, received, refused, dropped, losses) {
  const parts = [`${counted(published, 'message')} published`, `${counted(received, 'command')} received`];
  if (refused > 0) parts.push(`${refused.toLocaleString('en')} refused`);
  if (dropped > 0) parts.push(`${dropped.toLocaleString('en')} dropped because there were too many`);
  if (losses > 0) parts.push(`the broker lost ${losses === 1 ? 'once' : `${losses.toLocaleString('en')} times`}`);
  return `Since the start: ${parts.join(', ')}.`;
}
