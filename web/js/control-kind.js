/** Which control a node gets; what a node is decides, never where it is. */

/** Choices up to this many characters in all stand side by side. */
const segmentCharacters = 30;

/**
 * `slider`, `number`, `switch`, `segments`, `select`, `text`, `button`, `vector`, `row`, `progress`, or `readout`; null for
 * a container.
 */
export function controlKind(node) {
  if (node.isContainer) return null;
  if (!node.isWritable) return node.has('progress') ? 'progress' : 'readout';
  if (node.has('row')) return 'row';
  if (node.type === 'N' || node.type === 'I' || node.type === '') return 'button';
  if (node.type === 'T' || node.type === 'F') return 'switch';
  if (node.choices) {
    const characters = node.choices.join('').length;
    return node.choices.length <= 4 && characters <= segmentCharacters ? 'segments' : 'select';
  }
  if (node.type === 's') return 'text';
  if (node.type.length > 1) return 'vector';
  return isBounded(node.range) ? 'slider' : 'number';
}

function isBounded(range) {
  return Boolean(range) && range.maximum - range.minimum > 0 && range.maximum - range.minimum < 1e6;
}

/** Roles that have a display of their own; everything else gets a generic control. */
const displayed = [
  'orientation.euler.ypr', 'recenter',
  'play', 'pause', 'stop', 'seek', 'loop', 'state', 'position', 'duration', 'recording',
  'microphone.azimuth', 'microphone.peak', 'microphone.rms', 'ear.peak', 'ear.rms', 'weight.low', 'weight.high',
  'method.latency', 'crossover', 'load', 'count', 'latency', 'notice', 'kick',
  'tracker.source', 'tracker.listener', 'tracker.state', 'tracker.in-charge', 'tracker.pose', 'tracker.rate', 'tracker.age',
  'tracker.recenter', 'tracker.orientation', 'tracker.problem', 'tracker.calibrate', 'tracker.cancel', 'tracker.guide',
  'way.total', 'way.transmission', 'way.waiting', 'way.rendering', 'way.output', 'way.beside', 'way.histogram', 'way.count',
  'rack.layout', 'rack.add', 'rack.remove', 'rack.preset', 'slot.bypass', 'slot.mix', 'slot.level', 'slot.reduction', 'slot.interval', 'slot.state', 'slot.progress',
  'tuner.note', 'tuner.cents', 'metronome.beat',
  'object.source', 'object.name', 'object.azimuth', 'object.elevation', 'object.distance', 'object.gain', 'object.mute',
  'object.state', 'object.sounds',
  'session.name', 'session.changed', 'session.recent', 'session.save', 'session.save-as', 'session.load', 'session.revert',
  'session.compare', 'session.difference', 'undo', 'redo', 'undo.words', 'redo.words',
];

/** Whether one of the displays shows this node. */
export const hasDisplay = (node) => displayed.some((role) => node.has(role));

/** The nodes of a container that its generic group shows. */
export const genericNodes = (container) => container.children.filter((node) => !node.isContainer && !hasDisplay(node));

/** Every container that has a generic group, in the order of the tree. */
export const genericContainers = (root) => [...root.all()].filter((node) => genericNodes(node).length > 0);
