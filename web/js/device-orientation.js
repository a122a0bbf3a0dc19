/** What a phone says about its orientation, as the engine understands it. Angles in degrees, quaternions w x y z. */

const half = (degrees) => (degrees * Math.PI) / 360;

/** First `b`, then `a`. */
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

/**
 * The head that wears the phone.
 *
 * W3C Device Orientation: alpha, beta, gamma turn about the phone's z (out of the screen), x (right), y (top), in this
 * order, each about the axis as turned before. The engine's axes are front, left, up.
 *
 * @param event { alpha, beta, gamma }; null in any is no orientation
 * @param screenAngle by which the screen's content is turned against the phone, clockwise
 * @param isUpright whether the phone stands before the face instead of lying on the head, its top in front
 */
export function headFrom({ alpha, beta, gamma }, screenAngle = 0, isUpright = false) {
  if (![alpha, beta, gamma].every(Number.isFinite)) return null;
  let turned = product(product(about(2, alpha), about(0, beta)), about(1, gamma));
  // What is the top of the screen for the eye is the front.
  turned = product(turned, about(2, -screenAngle));
  // Through the screen is the front then, and its top is up.
  if (isUpright) turned = product(turned, about(0, -90));
  const [w, x, y, z] = turned;
  return [w, y, -x, z];
}
