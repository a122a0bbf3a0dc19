import { arrayName } from '../playback/transport.js';
import { claimRoles } from '../shared/controls/displayed-roles.js';
import { control } from '../shared/controls/control.js';
import { element, setText } from '../shared/drawing/element.js';
import { roles } from '../shared/tree/roles.js';

claimRoles(roles.arraySource, roles.arrayInput, roles.arrayLatency, roles.arrayProblem);

/** The state of a live array in a sentence. */
export function arrayWords(isLive, input, latency, problem) {
  const name = arrayName(input);
  if (!isLive) return `The live array ${name} is not heard.`;
  if (problem) return problem;
  return latency > 0 ? `${name} is heard ${latency.toFixed(1)} ms after its converter. Pause mutes it.` : `Waits for ${name}.`;
}

/** The choice between the recording and the live array, hidden without an array; null for an engine that has none. */
export function arraySource(page) {
  const [source, input, latency, problem] = [roles.arraySource, roles.arrayInput, roles.arrayLatency, roles.arrayProblem]
    .map((role) => page.root.find(role));
  if (!source || !input) return null;
  const words = element('p', { class: 'help', role: 'status' });
  const made = control(page, source);
  made.append(words);
  const value = (node) => page.values.of(node)[0];
  const show = () => {
    made.hidden = !value(input);
    setText(words, arrayWords(value(source) === 'live', value(input) ?? '', value(latency) ?? 0, value(problem) ?? ''));
  };
  for (const node of [source, input, latency, problem]) if (node) page.watch(node, show);
  return made;
}
