import { counted } from './units.js';

/** Angles in degrees; azimuth and yaw are positive to the LEFT, on pictures the front is at the top. */

const radians = (degrees) => (degrees * Math.PI) / 180;

/** The same direction in -180 (excluded) to 180. */
export function wrap(degrees) {
  const turned = ((degrees % 360) + 360) % 360;
  return turned > 180 ? turned - 360 : turned;
}

/** Heading: the yaw relative to the yaw that counts as straight ahead. */
export const headingOf = (yaw, front) => wrap(yaw - front);

/** The yaw to send for a heading. */
export const yawFor = (heading, front) => wrap(heading + front);

/** Point of an azimuth on the picture, y downwards: +90 is at its left. */
export function toScreen(azimuth, radius, centreX = 0, centreY = 0) {
  return { x: centreX - radius * Math.sin(radians(azimuth)), y: centreY - radius * Math.cos(radians(azimuth)) };
}

/** Azimuth of a point of the picture, seen from the centre. */
export function fromScreen(x, y, centreX = 0, centreY = 0) {
  return (Math.atan2(centreX - x, centreY - y) * 180) / Math.PI;
}

/**
 * The place of a pointer on a round picture.
 * @param event a pointer event
 * @param picture the element
 * @returns its azimuth from the centre, and its distance from there as a share of the radius
 */
export function fromPointer(event, picture) {
  const box = picture.getBoundingClientRect();
  const centre = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  return {
    azimuth: fromScreen(event.clientX, event.clientY, centre.x, centre.y),
    distance: Math.hypot(event.clientX - centre.x, event.clientY - centre.y) / (box.width / 2),
  };
}

/** The canvas angle (clockwise from three o'clock, in radians) of an azimuth. */
export const canvasAngle = (azimuth) => radians(-90 - azimuth);

const whole = (degrees) => Math.round(Math.abs(degrees));

/** A heading in words: "30 degrees to the left". */
export function headingInWords(heading) {
  const amount = whole(heading);
  if (amount === 0) return 'straight ahead';
  if (amount === 180) return 'straight back';
  return `${counted(amount, 'degree')} to the ${heading > 0 ? 'left' : 'right'}`;
}

/** A heading as a number and a side. */
export function headingInShort(heading) {
  const amount = whole(heading);
  if (amount === 0) return { number: '0°', side: 'straight ahead' };
  if (amount === 180) return { number: '180°', side: 'straight back' };
  return { number: `${amount}°`, side: heading > 0 ? 'to the left' : 'to the right' };
}

/** A pitch or roll with the words for its two directions. */
export function tiltInWords(degrees, positive, negative) {
  const amount = whole(degrees);
  if (amount === 0) return 'level';
  return `${amount}° ${degrees > 0 ? positive : negative}`;
}
