/** Numbers in words: "3", "3 and 4", "1, 2 and 5". */
export const listText = (numbers) => (numbers.length < 2 ? numbers.join('')
  : `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`);

/** Channels that stand at other places than their own. */
const moved = (channels) => channels.map((channel, place) => (channel === place + 1 ? null : place + 1)).filter(Boolean);

/** The finding about a ring's channels in words; empty when nothing is known to be wrong. */
export function ringText(ring) {
  if (!ring) return '';
  const words = [];
  const channels = (numbers) => `Channel${numbers.length === 1 ? '' : 's'} ${listText(numbers)}`;
  if (ring.silent.length > 0) words.push(`${channels(ring.silent)} without sound.`);
  if (ring.unconnected?.length > 0) words.push(`${channels(ring.unconnected)} not connected.`);
  if (ring.mixes?.length > 0) words.push(`${channels(ring.mixes)}: a mix of others.`);
  for (const group of ring.copies ?? []) words.push(`${channels(group)} with the same sound.`);
  if (ring.inverted.length > 0) words.push(`${channels(ring.inverted)} inverted.`);
  if (ring.order === 'wrong') words.push(`${channels(moved(ring.channels))} in the wrong order (by ${ring.margin.toFixed(0)} dB).`);
  if (ring.order === 'ambiguous') words.push('The channels are in the wrong order; the right order is unknown.');
  return words.join(' ');
}

/** Whether a corrected copy can be written. */
export const isCorrectable = (ring) => Boolean(ring) && (Boolean(ring.channels) || ring.inverted.length > 0);

/** Groups of at least four mono files of equal rate and length, which can be microphones of one ring; the largest first. */
export function monoGroups(files) {
  const groups = new Map();
  for (const file of files) {
    if (file.sound?.channels !== 1) continue;
    const key = `${file.place} ${file.sound.rate} ${file.sound.seconds} ${file.name.replace(/\d+/g, '#')}`;
    groups.set(key, [...groups.get(key) ?? [], file]);
  }
  const byNumber = new Intl.Collator(undefined, { numeric: true });
  return [...groups.values()].filter(({ length }) => length >= 4 && length <= 64)
    .map((group) => group.sort((one, other) => byNumber.compare(one.name, other.name)))
    .sort((one, other) => other.length - one.length);
}

/** A name for the recording of a group: what the names have in common. */
export function groupName(group) {
  const stems = group.map(({ name }) => name.replace(/\.[^.]*$/, ''));
  let common = stems[0];
  while (!stems.every((stem) => stem.startsWith(common))) common = common.slice(0, -1);
  return common.replace(/[\s_\-.]*$/, '') || 'ring';
}
