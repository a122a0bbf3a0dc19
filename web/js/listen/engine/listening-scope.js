import { objectsOf } from '../../objects/objects.js';
import { ListenerScope } from '../../shared/tree/listener-scope.js';
import { roles } from '../../shared/tree/roles.js';
import { listenersOf, readTree } from '../../shared/tree/tree.js';
import { trackersOf } from '../../trackers/tracker.js';

/** Single values that the page shows. */
const shown = [roles.latency, roles.recording, roles.microphoneAzimuth, roles.listenerCount, roles.listenerMost, roles.rate];

/** Further roles, for a page that shows the recording's video. */
const shownBeside = [
  roles.state, roles.position, roles.duration, roles.videoFile, roles.videoOffset, roles.videoLayout, roles.videoYaw, roles.videoPitch,
  roles.videoRoll, roles.videoFound, roles.videoVersion, roles.deviceDelay,
];

/** The part of the tree that a listener's page works with: its own listener, and the trackers if it is one itself. */
export class ListeningScope extends ListenerScope {
  #shown;
  #isView;
  /** Whether this page is a head tracker. */
  isTracker = false;

  /** @param isView whether the page shows the recording's video */
  constructor(isView = false) {
    super();
    this.#isView = isView;
    this.#shown = isView ? [...shown, ...shownBeside] : shown;
  }

  interests(json) {
    const root = readTree(json);
    const own = listenersOf(root).find(({ name }) => name === this.chosen)?.container;
    // Other pages have to know only whether a tracker turns their head.
    const trackers = trackersOf(root).flatMap(({ container, source, listener, inCharge }) => (this.isTracker ? [container]
      : [source, listener, inCharge]));
    // They are moved in the picture.
    const objects = this.#isView ? objectsOf(root).map(({ container }) => container) : [];
    const recordings = this.isTracker ? [] : root.findAll(roles.groupRecording);
    return [own, ...trackers, ...objects, ...recordings, ...this.#shown.map((role) => root.find(role))].filter(Boolean)
      .map(({ path }) => path);
  }
}
