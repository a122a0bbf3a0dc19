import { ListenerScope } from '../../shared/tree/listener-scope.js';
import { roles } from '../../shared/tree/roles.js';
import { listenersOf, readTree } from '../../shared/tree/tree.js';
import { trackersOf } from '../../trackers/tracker.js';

/** Single values that the page shows. */
const shown = [roles.latency, roles.recording, roles.microphoneAzimuth, roles.listenerCount, roles.listenerMost];

/** The part of the tree that a listener's page works with: its own listener, and the trackers if it is one itself. */
export class ListeningScope extends ListenerScope {
  /** Whether this page is a head tracker. */
  isTracker = false;

  interests(json) {
    const root = readTree(json);
    const own = listenersOf(root).find(({ name }) => name === this.chosen)?.container;
    const trackers = this.isTracker ? trackersOf(root).map(({ container }) => container) : [];
    return [own, ...trackers, ...shown.map((role) => root.find(role))].filter(Boolean).map(({ path }) => path);
  }
}
