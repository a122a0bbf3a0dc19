import { cueListOf } from '../cue-list/cue-list.js';
import { isTyping, sessionOf, undoKey } from '../session/session.js';
import { takesOf } from '../takes/takes.js';
import { trackersAt, trackersOf } from '../trackers/tracker.js';

/**
 * Keys that work on every page of the panel.
 *
 * @param current returns `{ page, listener, learn }`, or null before the first tree
 */
export function listenForShortcuts(current) {
  window.addEventListener('keydown', (event) => {
    const shown = current();
    if (!shown) return;
    if (isRecenterKey(event)) recenter(event, shown);
    else if (isLearnKey(event)) learn(event, shown);
    else if (isGoKey(event)) go(event, shown);
    else if (isTakeKey(event)) record(event, shown);
    else undo(event, shown);
  });
}

const isRecenterKey = (event) => event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyR' && !event.repeat;

const isLearnKey = (event) => event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyM';

const isGoKey = (event) => event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyG' && !event.repeat;

const isTakeKey = (event) => event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyT' && !event.repeat;

/** Alt+T: begins a take, or completes the one that is being recorded. */
function record(event, { page }) {
  const takes = takesOf(page.root);
  if (!takes || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  page.send(page.values.of(takes.recording)[0] ? takes.stop : takes.start, []);
}

/** Alt+G: fires the cue on standby. */
function go(event, { page }) {
  const list = cueListOf(page.root);
  if (!list || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  page.send(list.go, []);
}

/** Alt+M: turns the mode Learn MIDI on and off. */
function learn(event, { learn: mode }) {
  event.preventDefault();
  mode.turn(!mode.isOn);
}

/** Alt+R: recenters the trackers of the listener that is shown, or its pose when it has none. */
function recenter(event, { page, listener }) {
  if (!listener) return;
  event.preventDefault();
  const trackers = trackersAt(trackersOf(page.root), page.values, listener);
  const nodes = trackers.length > 0 ? trackers.map((tracker) => tracker.recenter) : [listener.recenter];
  for (const node of nodes) if (node) page.send(node, []);
}

/** Ctrl+Z and Ctrl+Shift+Z, except in text fields, which undo their own typing. */
function undo(event, { page }) {
  const direction = undoKey(event);
  if (!direction || isTyping(event.target) || document.querySelector('dialog[open]')) return;
  const session = sessionOf(page.root);
  if (!session?.[direction]) return;
  event.preventDefault();
  page.send(session[direction], []);
}
