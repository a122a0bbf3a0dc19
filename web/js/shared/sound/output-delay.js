const key = 'vestibule.output-delay';
/** Seconds that an output may be later than the browser knows, or earlier. */
const most = 1;

const isPossible = (seconds) => Number.isFinite(seconds) && Math.abs(seconds) <= most;

/** Reads what is kept; the browser's own storage by default, which it may refuse even to name. */
function read(storage) {
  try {
    const kept = JSON.parse((storage ?? globalThis.localStorage).getItem(key));
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

/**
 * Seconds by which the sound leaves the loudspeaker or headphones later than the browser reports, as the microphone has measured it for
 * an output; 0 when it has not.
 *
 * @param {string} device name of the output; empty while the browser does not report it, which means the one that was measured last
 */
export function outputDelay(device = '', storage = undefined) {
  const seconds = read(storage)[device];
  return isPossible(seconds) ? seconds : 0;
}

/** Whether an output was measured. */
export const isMeasured = (device = '', storage = undefined) => isPossible(read(storage)[device]);

/** Keeps what was measured for an output; null forgets it. */
export function keepOutputDelay(device, seconds, storage = undefined) {
  const kept = read(storage);
  for (const name of ['', device]) {
    if (seconds === null) delete kept[name];
    else kept[name] = seconds;
  }
  (storage ?? globalThis.localStorage).setItem(key, JSON.stringify(kept));
}
