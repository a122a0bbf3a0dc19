import { headingInWords, tiltInWords } from './angles.js';
import { containerTitle } from './tree.js';
import { numberText, withUnit } from './units.js';

/** A sound object: its nodes by their roles. */
export class SoundObject {
  constructor(container) {
    const own = (role) => container.children.find((node) => node.has(`object.${role}`)) ?? null;
    this.container = container;
    this.number = container.name;
    this.source = own('source');
    this.name = own('name');
    this.azimuth = own('azimuth');
    this.elevation = own('elevation');
    this.distance = own('distance');
    this.gain = own('gain');
    this.mute = own('mute');
    this.state = own('state');
  }

  /** What to call it: its number, and its name where it has one. */
  title(values) {
    const [name] = values.of(this.name);
    return [containerTitle(this.container), name].filter(Boolean).join(': ');
  }

  /** Where it stands as far as is known; straight ahead, on a level, at 1 before that. */
  place(values) {
    return {
      azimuth: values.number(this.azimuth),
      elevation: values.number(this.elevation),
      distance: values.number(this.distance, 1),
    };
  }
}

/** Every object that can be put somewhere, in the order of the tree. */
export const objectsOf = (root) => root.findAll('object.azimuth').map((node) => new SoundObject(node.parent))
  .filter((object) => object.distance?.range && object.azimuth.isWritable);

/** A place as it is spoken: "30 degrees to the left, 2.5 m, 20° up". */
export function placeInWords({ azimuth, elevation, distance }, unit) {
  const parts = [headingInWords(azimuth), withUnit(numberText(distance, 2), unit)];
  if (Math.abs(elevation) >= 0.5) parts.push(tiltInWords(elevation, 'up', 'down'));
  return parts.join(', ');
}

/** An elevation in as little room as there is: "↑20°"; nothing on a level. */
export function elevationInShort(elevation) {
  const amount = Math.round(Math.abs(elevation));
  return amount === 0 ? '' : `${elevation > 0 ? '↑' : '↓'}${amount}°`;
}
