/**
 * Mappings of controllers in their text form:
 * `cc 7 channel 1 to /listener/1/gain input 0 1 output 0.5 1 curve 0.25 toggle`.
 */

/** Reads a mapping; null for an empty text. */
export function parseMapping(text) {
  const words = (text ?? '').split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const mapping = { controller: '', channel: 0, target: '', input: [0, 1], output: [0, 1], curve: 0, isToggle: false };
  const number = () => Number(words.shift());
  while (words.length > 0) {
    const word = words.shift();
    if (word === 'channel') mapping.channel = number();
    else if (word === 'to') mapping.target = words.shift() ?? '';
    else if (word === 'input' || word === 'output') mapping[word] = [number(), number()];
    else if (word === 'curve') mapping.curve = number();
    else if (word === 'toggle') mapping.isToggle = true;
    else mapping.controller = `${mapping.controller} ${word}`.trim();
  }
  return mapping;
}

const rounded = (number) => Number(number.toFixed(4));

/** The text of a mapping, without what has its initial value. */
export function formatMapping({ controller, channel, target, input, output, curve, isToggle }) {
  const ends = (name, [first, last]) => (first === 0 && last === 1 ? [] : [`${name} ${rounded(first)} ${rounded(last)}`]);
  return [
    controller, ...(channel > 0 ? [`channel ${channel}`] : []), `to ${target}`, ...ends('input', input), ...ends('output', output),
    ...(curve === 0 ? [] : [`curve ${rounded(curve)}`]), ...(isToggle ? ['toggle'] : []),
  ].join(' ');
}

/** The one position that a mapping sets; null when it moves through several. */
export const positionOf = ({ output: [first, last] }) => (first === last ? first : null);

const names = { cc: 'CC', cc14: '14-bit CC', rpn: 'RPN', nrpn: 'NRPN', note: 'Note', bend: 'Pitch bend', pressure: 'Pressure' };

/** A controller in words: "CC 7, channel 1". */
export function controllerWords({ controller, channel }) {
  const [kind, number] = controller.split(' ');
  return [[names[kind] ?? kind, number].filter(Boolean).join(' '), channel > 0 ? `channel ${channel}` : 'any channel'].join(', ');
}
