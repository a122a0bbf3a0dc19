/** Figures that the engine and browsers share. Generated from the engine; a test keeps both equal. */

/** Radius of a head, and of an array that names none, metres. */
export const standardRadius = 0.0875;
/** Lowest ceiling of the limiter, dB. */
export const lowestCeiling = -24;
