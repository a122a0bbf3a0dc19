/** Events after which a sound that was taken away may come back; a tap counts, since some systems ask for one. */
const chances = { document: ['visibilitychange', 'pointerdown'], window: ['pageshow', 'focus'] };

/**
 * Keeps a context running through calls, alarms, locked screens and unplugged headphones, after which browsers leave it suspended or
 * interrupted. Returns a function that ends it.
 *
 * @param {AudioContext} context
 * @param {function(): boolean} isWanted whether there is to be sound now
 * @param {function(boolean)} [interrupted] called when the sound stops although it is wanted, and when it is back
 * @param page the window
 */
export function keepRunning(context, isWanted, interrupted = () => {}, page = window) {
  let wasInterrupted = false;
  const look = () => {
    if (context.state === 'closed') return;
    const isMissing = isWanted() && context.state !== 'running';
    if (isMissing !== wasInterrupted) interrupted(isMissing);
    wasInterrupted = isMissing;
    // A refusal is not reported: the next chance comes.
    if (isMissing) Promise.resolve(context.resume()).catch(() => {});
  };
  const { document } = page;
  const { mediaDevices } = page.navigator;
  const places = [
    [context, ['statechange']], [document, chances.document], [page, chances.window], [mediaDevices, ['devicechange']],
  ].filter(([target]) => target);
  for (const [target, events] of places) for (const event of events) target.addEventListener(event, look);
  return () => {
    for (const [target, events] of places) for (const event of events) target.removeEventListener(event, look);
  };
}
