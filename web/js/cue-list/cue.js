/**
 * Cues in their text form, as the engine writes it:
 * `NUMBER ["NAME"] [at TIME | at position S] [wait S] [continue S | follow] ACTION`.
 */

/** Words of a text: `{ text, raw }`, where a text in double quotes is one word. */
function wordsOf(text) {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|[^ ]+/g)].map(([raw, quoted]) => ({
    raw, text: quoted === undefined ? raw : quoted.replace(/\\(.)/g, '$1'), isQuoted: quoted !== undefined,
  }));
}

const quoted = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`;
const nameWord = (text) => (/[ "\\]/.test(text) || text === '' ? quoted(text) : text);

/** Reads a cue; null for an empty text. The action is `{ kind }` with the fields of `actionKinds`. */
export function parseCue(text) {
  const words = wordsOf(text ?? '');
  if (words.length === 0) return null;
  const next = () => words.shift()?.text ?? '';
  const cue = { number: next(), name: '', trigger: { kind: 'none', value: '' }, wait: '', follow: { kind: 'none', value: '' } };
  if (words[0]?.isQuoted) cue.name = next();
  for (;;) {
    const word = words[0]?.text;
    if (word === 'at') {
      next();
      const value = next();
      cue.trigger = value === 'position' ? { kind: 'position', value: next() } : { kind: 'time', value };
    } else if (word === 'wait') {
      next();
      cue.wait = next();
    } else if (word === 'continue') {
      next();
      cue.follow = { kind: 'continue', value: next() };
    } else if (word === 'follow') {
      next();
      cue.follow = { kind: 'follow', value: '' };
    } else return { ...cue, action: readAction(words) };
  }
}

function readAction(words) {
  const next = () => words.shift()?.text ?? '';
  const kind = next();
  if (kind === 'stop' && words.length > 0) {
    const what = next();
    return what === 'sounds' ? { kind: 'stop sounds', fade: next() === 'fade' ? next() : '' } : { kind: `stop ${what}` };
  }
  if (kind === 'object') {
    const object = next();
    return next() === 'stop' ? { kind: 'object stop', object } : { kind: 'object sound', object, name: next() };
  }
  if (kind === 'osc') {
    return { kind, destination: next(), address: next(), arguments: words.map(({ raw }) => raw).join(' ') };
  }
  if (kind === 'scene' || kind === 'recording') {
    const name = next();
    return { kind, name, fade: next() === 'fade' ? next() : '' };
  }
  const [field] = actionKinds[kind]?.fields ?? [];
  return field ? { kind, [field]: next() } : { kind };
}

/** The text of a cue. */
export function formatCue({ number, name, trigger, wait, follow, action }) {
  return [
    number, ...(name ? [quoted(name)] : []),
    ...(trigger.kind === 'time' ? [`at ${trigger.value}`] : trigger.kind === 'position' ? [`at position ${trigger.value}`] : []),
    ...(Number(wait) > 0 ? [`wait ${wait}`] : []),
    ...(follow.kind === 'continue' ? [`continue ${follow.value || 0}`] : follow.kind === 'follow' ? ['follow'] : []),
    formatAction(action),
  ].join(' ');
}

function formatAction(action) {
  switch (action.kind) {
    case 'scene': case 'recording': return `${action.kind} ${nameWord(action.name)}${action.fade === '' ? '' : ` fade ${action.fade}`}`;
    case 'stop sounds': return `stop sounds${action.fade ? ` fade ${action.fade}` : ''}`;
    case 'sound': return `sound ${nameWord(action.name)}`;
    case 'object sound': return `object ${action.object} sound ${nameWord(action.name)}`;
    case 'object stop': return `object ${action.object} stop`;
    case 'seek': return `seek ${action.seconds}`;
    case 'cue': return `cue ${action.cue}`;
    case 'osc': return ['osc', action.destination, action.address, action.arguments.trim()].filter(Boolean).join(' ');
    default: return action.kind;
  }
}

/** Kinds of actions: their title, and their fields in the order of the text. */
export const actionKinds = {
  scene: { title: 'Recall a scene', fields: ['name', 'fade'] },
  sound: { title: 'Play a short sound', fields: ['name'] },
  'stop sounds': { title: 'Stop short sounds', fields: ['fade'] },
  'object sound': { title: 'Set an object’s sound', fields: ['object', 'name'] },
  'object stop': { title: 'Remove an object’s sound', fields: ['object'] },
  recording: { title: 'Play a recording', fields: ['name', 'fade'] },
  play: { title: 'Transport: play', fields: [] },
  pause: { title: 'Transport: pause', fields: [] },
  stop: { title: 'Transport: stop', fields: [] },
  seek: { title: 'Transport: go to a position', fields: ['seconds'] },
  osc: { title: 'Send an OSC message', fields: ['destination', 'address', 'arguments'] },
  cue: { title: 'Fire another cue', fields: ['cue'] },
  'stop all': { title: 'Stop all', fields: [] },
};

/** An action in words: "Scene Dark, fade 5 s". */
export function actionWords(action) {
  switch (action.kind) {
    case 'scene': return `Scene ${action.name}${action.fade === '' ? '' : `, fade ${action.fade} s`}`;
    case 'sound': return `Sound ${action.name}`;
    case 'recording': return `Recording ${action.name}${action.fade === '' ? '' : `, fade ${action.fade} s`}`;
    case 'stop sounds': return `Stop sounds${action.fade ? `, fade ${action.fade} s` : ''}`;
    case 'object sound': return `Object ${action.object}: ${action.name}`;
    case 'object stop': return `Object ${action.object}: no sound`;
    case 'seek': return `Go to ${action.seconds} s`;
    case 'cue': return `Fire cue ${action.cue}`;
    case 'osc': return `OSC ${[action.address, action.arguments].filter(Boolean).join(' ')} to ${action.destination}`;
    default: return `${action.kind[0].toUpperCase()}${action.kind.slice(1)}`;
  }
}

/** Trigger, wait and follow-on of a cue, in words; empty for a plain one. */
export function timingWords({ trigger, wait, follow }) {
  return [
    trigger.kind === 'time' ? `at ${trigger.value}` : trigger.kind === 'position' ? `at position ${trigger.value} s` : '',
    Number(wait) > 0 ? `pre-wait ${wait} s` : '',
    follow.kind === 'continue' ? `auto-continue after ${follow.value} s` : follow.kind === 'follow' ? 'auto-follow' : '',
  ].filter(Boolean).join(', ');
}

/** Cues in the order in which they are fired: pairs of node and cue, sorted by number. */
export const inOrder = (entries) => entries.filter(([, cue]) => cue)
  .sort(([, one], [, other]) => Number(one.number) - Number(other.number));

/** A free number for a cue after all others. */
export function nextNumber(cues) {
  const last = Math.max(0, ...cues.map(({ number }) => Number(number)));
  return String(Math.min(9999.99, Math.floor(last) + 1));
}
