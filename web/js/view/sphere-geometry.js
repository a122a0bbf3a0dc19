/**
 * Directions in 360-degree video. Axes front, left, up; quaternions w x y z; angles in degrees, yaw positive to the left, pitch positive
 * up, roll positive to the right.
 */

const radians = (degrees) => (degrees * Math.PI) / 180;
const turns = (axis) => (degrees) => {
  const half = radians(degrees) / 2;
  const turn = [Math.cos(half), 0, 0, 0];
  turn[axis] = Math.sin(half);
  return turn;
};
const [aboutFront, aboutLeft, aboutUp] = [1, 2, 3].map(turns);

/** Product of two rotations: `two` first, then `one`. */
export function product([a, b, c, d], [e, f, g, h]) {
  return [
    a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e,
  ];
}

/** The rotation for yaw, pitch and roll, in the order of the engine: first roll, then pitch, then yaw. */
export const rotation = (yaw, pitch = 0, roll = 0) => product(aboutUp(yaw), product(aboutLeft(-pitch), aboutFront(roll)));

/** The opposite rotation. */
export const inverse = ([w, x, y, z]) => [w, -x, -y, -z];

/** A direction after a rotation. */
export function rotated(quaternion, [x, y, z]) {
  const [, a, b, c] = product(product(quaternion, [0, x, y, z]), inverse(quaternion));
  return [a, b, c];
}

/** A 3 x 3 matrix, column by column as WebGL takes it, of a rotation. */
export const matrix = (quaternion) => [[1, 0, 0], [0, 1, 0], [0, 0, 1]].flatMap((axis) => rotated(quaternion, axis));

/** The rotation between two others, nearer to `two` the larger `share` is. */
export function between(one, two, share) {
  const sign = one.reduce((sum, value, index) => sum + value * two[index], 0) < 0 ? -1 : 1;
  const mixed = one.map((value, index) => value * (1 - share) + sign * two[index] * share);
  const length = Math.hypot(...mixed) || 1;
  return mixed.map((value) => value / length);
}

/** The direction of an azimuth and an elevation. */
export const direction = (azimuth, elevation = 0) => [
  Math.cos(radians(elevation)) * Math.cos(radians(azimuth)), Math.cos(radians(elevation)) * Math.sin(radians(azimuth)),
  Math.sin(radians(elevation)),
];

/** Azimuth and elevation at a place on the screen, in tenths of a degree: the opposite of `onScreen`. */
export function anglesAt(head, { x, y }, field, aspect) {
  const reach = Math.tan(radians(field) / 2);
  const [front, left, up] = rotated(head, [1, -x * reach * Math.min(1, aspect), y * reach * Math.min(1, 1 / aspect)]);
  const tenths = (angle) => Math.round((angle * 1800) / Math.PI) / 10;
  return { azimuth: tenths(Math.atan2(left, front)), elevation: tenths(Math.atan2(up, Math.hypot(front, left))) };
}

/** The side of the head on which a direction is: 1 for the left one, -1 for the right one. */
export const toSide = (head, towards) => (rotated(inverse(head), towards)[1] >= 0 ? 1 : -1);

/**
 * Position of a direction on the screen, from -1 at the left or below to 1; null behind the viewer.
 *
 * @param head rotation of the head
 * @param field width of the view in degrees, along the longer side
 * @param aspect width over height
 */
export function onScreen(head, [x, y, z], field, aspect) {
  const [front, left, up] = rotated(inverse(head), [x, y, z]);
  if (front <= 0.01) return null;
  const reach = Math.tan(radians(field) / 2);
  return { x: -left / front / (reach * Math.min(1, aspect)), y: up / front / (reach * Math.min(1, 1 / aspect)) };
}
