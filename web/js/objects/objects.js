import { headingInWords, tiltInWords } from '../shared/numbers/angles.js';
import { containerTitle } from '../shared/tree/tree.js';
import { numberText, withUnit } from '../shared/numbers/units.js';
import { roles } from '../shared/tree/roles.js';

/** A sound object: its nodes by their roles. */
class SoundObject {
  constructor(container) {
    const own = (role) => container.children.find((node) => node.has(role)) ?? null;
    this.container = container;
    this.number = container.name;
    this.source = own(roles.objectSource);
    this.name = own(roles.objectName);
    this.azimuth = own(roles.objectAzimuth);
    this.elevation = own(roles.objectElevation);
    this.distance = own(roles.objectDistance);
    this.gain = own(roles.objectGain);
    this.mute = own(roles.objectMute);
    this.solo = own(roles.objectSolo);
    this.state = own(roles.objectState);
    this.group = own(roles.objectGroup);
    this.path = own(roles.objectPath);
    this.channel = own(roles.objectChannel);
    /** Further numbers of its place and of the way to the heads. */
    this.way = [roles.objectXYZ, roles.objectReference, roles.objectBubble, roles.objectAir, roles.objectDoppler,
      roles.objectDirectivity, roles.objectYaw, roles.objectPitch, roles.objectRenderer].map(own).filter(Boolean);
  }

  /** Title: its number, and its name if it has one. */
  title(values) {
    const [name] = values.of(this.name);
    return [containerTitle(this.container), name].filter(Boolean).join(': ');
  }

  /** Its position as far as known; straight ahead, level and at distance 1 before that. */
  place(values) {
    return {
      azimuth: values.number(this.azimuth),
      elevation: values.number(this.elevation),
      distance: values.number(this.distance, 1),
    };
  }
}

/** All objects that can be moved, in the order of the tree. */
export const objectsOf = (root) => root.findAll(roles.objectAzimuth).map((node) => new SoundObject(node.parent))
  .filter((object) => object.distance?.range && object.azimuth.isWritable);

/** A position in words: "30 degrees to the left, 2.5 m, 20° up". */
export function placeInWords({ azimuth, elevation, distance }, unit) {
  const parts = [headingInWords(azimuth), withUnit(numberText(distance, 2), unit)];
  if (Math.abs(elevation) >= 0.5) parts.push(tiltInWords(elevation, 'up', 'down'));
  return parts.join(', ');
}

/** A short text for an elevation: "↑20°"; empty when level. */
export function elevationInShort(elevation) {
  const amount = Math.round(Math.abs(elevation));
  return amount === 0 ? '' : `${elevation > 0 ? '↑' : '↓'}${amount}°`;
}
