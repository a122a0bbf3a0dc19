import { counted } from '../shared/numbers/units.js';
import { nodesByRole } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

/** Roles of takes by name. */
const takeRoles = {
  start: roles.takeStart, stop: roles.takeStop, name: roles.takeName, format: roles.takeFormat, preRoll: roles.takePreRoll,
  usePreRoll: roles.takeUsePreRoll, kept: roles.takeKept, recording: roles.takeRecording, current: roles.takeCurrent,
  duration: roles.takeDuration, lost: roles.takeLost, remaining: roles.takeRemaining, problem: roles.takeProblem,
  changes: roles.takeChanges, delete: roles.takeDelete, ears: roles.takeEars, array: roles.takeArray, input: roles.takeInput,
};

/** All roles that the card of takes shows. */
export const shownRoles = Object.values(takeRoles);

/** Nodes of takes by their roles; null when the engine has none. */
export const takesOf = (root) => (root.find(roles.takeStart) ? nodesByRole(root, takeRoles) : null);

/** The name of a take without date and time, which the names of all folders begin with. */
export const shortName = (name) => name.replace(/^\d{4}-\d\d-\d\d-\d{6}(-|$)/, '');

/** A length of time in two parts at most: "3 h 12 min", "12 min", "45 s". */
export function roughTime(seconds) {
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
  return seconds >= 120 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds)} s`;
}

/** Seconds with tenths: 0:05.2, or 1:00:05.2. */
export function exactTime(seconds) {
  const tenths = Math.round(seconds * 10);
  const two = (number) => String(number).padStart(2, '0');
  const rest = `${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
  const [hours, minutes] = [Math.floor(tenths / 36000), Math.floor(tenths / 600) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

const sourceWords = {
  array: ({ channels }) => counted(channels, 'microphone'),
  input: () => 'input',
  'processed-input': () => 'input after its rack',
};

/** The sources of a take in words: "ears of listeners 1 and 2, 8 microphones". */
export function sourceText(files) {
  const ears = files.filter(({ source }) => source === 'ears').map(({ listener }) => listener).sort((one, other) => one - other);
  const listed = ears.length > 1 ? `${ears.slice(0, -1).join(', ')} and ${ears.at(-1)}` : ears.join('');
  const others = files.filter(({ source }) => source && source !== 'ears')
    .map((file) => sourceWords[file.source]?.(file) ?? file.source);
  return [ears.length > 0 && `ears of ${ears.length > 1 ? 'listeners' : 'listener'} ${listed}`, ...others].filter(Boolean).join(', ');
}

/** The file of a take that browsers can play: stereo in WAV or FLAC, ears before other sources; undefined for none. */
export function playableFile(files) {
  const stereo = files.filter(({ name, source, channels }) => source && channels === 2 && /\.(wav|flac)$/.test(name));
  return stereo.find(({ source }) => source === 'ears') ?? stereo[0];
}

/** Sound that a take lacks, in words; empty for none. */
export function lossText({ lost, gaps }) {
  return gaps.length > 0 ? `${lost < 10 ? Math.round(lost * 1000) / 1000 : Math.round(lost)} s lost in ${counted(gaps.length, 'gap')}` : '';
}

/** The reason why a take is not complete, in words; empty for one that is. */
export function stateText({ state, reason }) {
  if (state === 'interrupted') return 'Interrupted: the engine ended before the take did. Its files can be opened.';
  return state === 'stopped' ? `Ended early: ${reason ?? 'the reason is unknown'}.` : '';
}

/** The largest of the values in a part of a list, given by its ends from 0 to 1; never of fewer than one value. */
export function peakBetween(values, from, to) {
  const first = Math.min(values.length - 1, Math.floor(from * values.length));
  return Math.max(...values.slice(first, Math.max(first + 1, Math.ceil(to * values.length))));
}
