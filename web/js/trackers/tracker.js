import { containerTitle } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

/** One tracker of the tree, by its roles. */
class Tracker {
  constructor(container) {
    this.container = container;
    for (const [name, role] of Object.entries({
      source: roles.trackerSource, listener: roles.trackerListener, state: roles.trackerState, inCharge: roles.inCharge,
      pose: roles.trackerPose, rate: roles.trackerRate, age: roles.trackerAge, recenter: roles.trackerRecenter,
      orientation: roles.trackerOrientation, problem: roles.trackerProblem, calibrate: roles.calibrate,
      cancel: roles.calibrationCancel, guide: roles.guide,
    })) this[name] = container.children.find((node) => node.has(role)) ?? null;
  }

  get title() {
    return containerTitle(this.container);
  }
}

/** All tracker slots of the tree, in its order. */
export const trackersOf = (root) => root.findAll(roles.trackerSource).map((node) => new Tracker(node.parent));

/** Attached trackers of a listener. */
export const trackersAt = (trackers, values, listener) => trackers.filter((tracker) =>
  values.of(tracker.source)[0] && String(values.number(tracker.listener, 1)) === listener.name);

/** An age in milliseconds as a short text. */
export function ageText(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.floor(milliseconds / 60_000)} min`;
}
