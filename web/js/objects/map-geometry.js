import { fromScreen, toScreen, wrap } from '../shared/numbers/angles.js';
import { taperFor } from '../shared/numbers/taper.js';

/** Shares of the map's radius at which the nearest and the farthest distance lie, outside the head and inside the edge. */
const nearest = 0.17;
const farthest = 0.93;
/** Share of the radius around the centre inside which dragging does not change the azimuth. */
const deadCentre = 0.02;
/** Step of an arrow key: share of the range of distances, and degrees. */
const stride = 1 / 60;
const turn = 5;

/** Positions on a map of radius 1, the front at its top; y points down, as on a screen. */
export class MapGeometry {
  /** @param node a distance with a range; the map has its taper */
  constructor(node) {
    this.range = node.range;
    this.taper = taperFor(node);
  }

  /** Radius of a distance, 0 to 1. */
  radius(distance) {
    return nearest + (farthest - nearest) * this.taper.toShare(distance);
  }

  /** Point of a position. */
  place({ azimuth, distance }) {
    return toScreen(azimuth, this.radius(distance));
  }

  /** Point of a place in metres to the front and to the left; the origin is the centre. */
  spot([front, left]) {
    const distance = Math.hypot(front, left);
    const { minimum } = this.range;
    const radius = distance < minimum ? (nearest * distance) / minimum : this.radius(Math.min(distance, this.range.maximum));
    return toScreen((Math.atan2(left, front) * 180) / Math.PI, radius);
  }

  /** Place in metres to the front and to the left of a point; the opposite of `spot`. */
  metres({ x, y }) {
    const radius = Math.hypot(x, y);
    if (radius < deadCentre) return [0, 0];
    const distance = radius < nearest ? (this.range.minimum * radius) / nearest : this.at({ x, y }, {}).distance;
    return [-y, -x].map((share) => threeFigures((share / radius) * distance));
  }

  /** Position of a point; at the centre, with the azimuth of `before`. */
  at({ x, y }, before) {
    const radius = Math.hypot(x, y);
    const share = Math.min(1, Math.max(0, (radius - nearest) / (farthest - nearest)));
    return {
      azimuth: radius < deadCentre ? before.azimuth : roundTo(fromScreen(x, y), 0.1),
      distance: threeFigures(this.#inside(this.taper.toValue(share))),
    };
  }

  /** Distances that get a circle: 1 and 3 of every decade, and the farthest. */
  get circles() {
    const { minimum, maximum } = this.range;
    const all = [];
    for (let decade = 10 ** Math.floor(Math.log10(Math.max(minimum, 1e-3))); decade <= maximum; decade *= 10) {
      for (const figure of [1, 3]) {
        const distance = threeFigures(figure * decade);
        if (distance > minimum && distance < maximum) all.push(distance);
      }
    }
    return [...all, maximum];
  }

  /**
   * The position after a key: the left and right arrows turn it around the head, up and down change its distance, the page
   * keys its elevation, Home puts it in front. Null for every other key.
   *
   * @param elevations the range of elevations
   */
  step(place, key, isFine, elevations) {
    const { azimuth, elevation, distance } = place;
    const fine = isFine ? 5 : 1;
    const turned = (direction) => ({ ...place, azimuth: wrap(roundTo(azimuth + (direction * turn) / fine, 0.1)) });
    const moved = (direction) => {
      const share = this.taper.toShare(distance) + (direction * stride) / fine;
      return { ...place, distance: threeFigures(this.#inside(this.taper.toValue(Math.min(1, Math.max(0, share))))) };
    };
    const lifted = (direction) => {
      const raised = roundTo(elevation + (direction * turn) / fine, 0.1);
      return { ...place, elevation: Math.min(elevations.maximum, Math.max(elevations.minimum, raised)) };
    };
    switch (key) {
      case 'ArrowLeft': return turned(1);
      case 'ArrowRight': return turned(-1);
      case 'ArrowUp': return moved(1);
      case 'ArrowDown': return moved(-1);
      case 'PageUp': return lifted(1);
      case 'PageDown': return lifted(-1);
      case 'Home': return { ...place, azimuth: 0 };
      default: return null;
    }
  }

  #inside(distance) {
    return Math.min(this.range.maximum, Math.max(this.range.minimum, distance));
  }
}

/**
 * Places for the labels of points: on the point where there is room, otherwise on a circle around those that are too near to each
 * other. The points themselves stay.
 *
 * @param gap distance that the centres of two labels have at least
 */
export function spreadLabels(points, gap) {
  const groups = [];
  for (const point of points) {
    const near = groups.filter((group) => group.some((other) => Math.hypot(other.x - point.x, other.y - point.y) < gap));
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push([...near.flat(), point]);
  }
  return points.map((point) => {
    const group = groups.find((each) => each.includes(point));
    if (group.length === 1) return { x: point.x, y: point.y };
    const ordered = points.filter((each) => group.includes(each));
    const centre = ['x', 'y'].map((axis) => group.reduce((sum, each) => sum + each[axis], 0) / group.length);
    const radius = Math.max(gap * 0.75, gap / (2 * Math.sin(Math.PI / group.length)));
    const angle = 2 * Math.PI * (ordered.indexOf(point) / group.length) - Math.PI / 2;
    return { x: centre[0] + radius * Math.cos(angle), y: centre[1] + radius * Math.sin(angle) };
  });
}

const roundTo = (value, step) => Number((Math.round(value / step) * step).toFixed(3));
const threeFigures = (value) => Number(value.toPrecision(3));
