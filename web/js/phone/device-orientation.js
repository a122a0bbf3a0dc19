/** Conversion of a phone's orientation to the engine's. Angles in degrees, quaternions w x y z. */

const half = (degrees) => (degrees * Math.PI) / 360;

/** Quaternion product: rotation by `b`, then by `a`. */
export function product([aw, ax, ay, az], [bw, bx, by, bz]) {
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

const about = (axis, degrees) => {
  const turn = [Math.cos(half(degrees)), 0, 0, 0];
  turn[axis + 1] = Math.sin(half(degrees));
  return turn;
};

/** Turn of the phone's axes into the world's; null without one. */
function turnOf({ alpha, beta, gamma, quaternion }) {
  if (quaternion) {
    const [x, y, z, w] = quaternion;
    return [w, x, y, z].every(Number.isFinite) ? [w, x, y, z] : null;
  }
  if (![alpha, beta, gamma].every(Number.isFinite)) return null;
  return product(product(about(2, alpha), about(0, beta)), about(1, gamma));
}

/**
 * Orientation of the head that wears the phone, as a quaternion; null without a complete event.
 *
 * W3C Device Orientation: alpha, beta, gamma turn about the phone's z (out of the screen), x (right), y (top), in this
 * order, each about the axis as turned before. The engine's axes are front, left, up.
 *
 * @param event { alpha, beta, gamma }, where null values mean no orientation, or { quaternion } x y z w of the same turn
 * @param screenAngle clockwise rotation of the screen's content against the phone
 * @param isUpright whether the phone is upright in front of the face instead of flat on the head with its top in front
 */
export function headFrom(event, screenAngle = 0, isUpright = false) {
  let turned = turnOf(event);
  if (!turned) return null;
  // The visible top of the screen is the front.
  turned = product(turned, about(2, -screenAngle));
  // Now the front is through the screen, and its top is up.
  if (isUpright) turned = product(turned, about(0, -90));
  const [w, x, y, z] = turned;
  return [w, y, -x, z];
}
