import { displayedRoles } from './displayed-roles.js';
import { roles } from '../tree/roles.js';

/** Most characters, of all choices together with the space beside each, that are shown as segments side by side. */
const segmentCharacters = 36;

/** The space on both sides of a choice, in characters. */
const segmentSpace = 2;

/**
 * The kind of a node's control, chosen by its type and roles: `slider`, `number`, `switch`, `segments`, `select`, `text`,
 * `button`, `vector`, `row`, `progress`, or `readout`; null for a container.
 */
export function controlKind(node) {
  if (node.isContainer) return null;
  if (!node.isWritable) return node.has(roles.progress) ? 'progress' : 'readout';
  if (node.has('row')) return 'row';
  if (node.type === 'N' || node.type === 'I' || node.type === '') return 'button';
  if (node.type === 'T' || node.type === 'F') return 'switch';
  if (node.choices) {
    const characters = node.choices.join('').length + segmentSpace * node.choices.length;
    return node.choices.length <= 4 && characters <= segmentCharacters ? 'segments' : 'select';
  }
  if (node.type === 's') return 'text';
  if (node.type.length > 1) return 'vector';
  return isBounded(node.range) ? 'slider' : 'number';
}

function isBounded(range) {
  return Boolean(range) && range.maximum - range.minimum > 0 && range.maximum - range.minimum < 1e6;
}

/** Whether a display shows this node. */
export const hasDisplay = (node) => [...node.roles].some((role) => displayedRoles.has(role));

/** Nodes of a container that get a generic control. */
export const genericNodes = (container) => container.children.filter((node) => !node.isContainer && !hasDisplay(node));

/** All containers with generic controls, in the order of the tree. */
export const genericContainers = (root) => [...root.all()].filter((node) => genericNodes(node).length > 0);
