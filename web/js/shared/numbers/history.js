/** Values of the last `length` seconds. */
export class History {
  constructor(length) {
    this.length = length;
    this.points = [];
  }

  take(time, values) {
    this.points.push([time, values]);
    this.since(time);
  }

  /** The points that are young enough at `now`, oldest first. */
  since(now) {
    while (this.points.length > 0 && this.points[0][0] < now - this.length) this.points.shift();
    return this.points;
  }
}

/** The next of 1, 2, 5, 10, 20, 50 … that is not below `value`. */
export function roundAbove(value) {
  if (!(value > 0)) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  return decade * [1, 2, 5, 10].find((step) => step * decade >= value * (1 - 1e-9));
}
