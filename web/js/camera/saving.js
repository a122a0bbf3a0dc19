/**
 * Lower bounds that each way to save bits sets by itself: `best` stands for the upper bound, which keeps the encoder from that measure; a
 * number for the least that the engine takes. The user sets the others.
 */
const fixed = {
  'size-rate': {},
  'size': { rate: 'best' },
  'rate': { height: 'best' },
  'bitrate': { rate: 'best', height: 'best' },
  'still': { bitrate: 30_000, rate: 1, height: 'best' },
};

/** Whether the user sets a lower bound: of `bitrate`, `rate` or `height`. */
export const isOwn = (saving, name) => fixed[saving]?.[name] === undefined;

/**
 * The lower bounds of a way to save bits.
 *
 * @param best upper bounds; `own` lower bounds of the user, both as `{ bitrate, rate, height }`
 */
export function lowerBounds(saving, best, own) {
  const bound = (name) => (isOwn(saving, name) ? own[name] : fixed[saving][name] === 'best' ? best[name] : fixed[saving][name]);
  return { bitrate: bound('bitrate'), rate: bound('rate'), height: bound('height') };
}
