import { PackagePlayer } from './players/package-player.js';

/** The key of a packed recording among the sources. */
export const recordingKey = (path) => `recording:${path}`;

/**
 * The source at the start: the one in the address, otherwise the engine's sound, otherwise a recording. Null for none.
 *
 * @param page with `query`, `engine` and `shelf`
 */
export function firstSource({ query, engine, shelf }) {
  const [head, recording] = ['head', 'recording'].map((name) => query.get(name));
  const isLive = engine?.isLive;
  if (head && engine) return `head:${Number(head) || 1}`;
  if (recording && !(PackagePlayer.refusal && isLive)) return recordingKey(recording);
  if (isLive && !engine.refusal) return 'live';
  const [first] = shelf.list;
  if (first) return recordingKey(first.path);
  return engine ? (isLive ? 'head:1' : 'live') : null;
}

/** All sources in groups, `[title, [{ key, title }]]`. */
export function allSources({ query, engine, shelf, player }) {
  const recordings = shelf.list.map(({ path, title }) => ({ key: recordingKey(path), title }));
  const asked = query.get('recording');
  if (asked && !recordings.some(({ key }) => key === recordingKey(asked))) {
    recordings.push({ key: recordingKey(asked), title: player?.source?.index.title ?? asked });
  }
  return [
    ['Engine', engine ? [{ key: 'live', title: 'Live: my own listener' }] : []],
    ['Packed recordings', recordings],
    ['Head tracker only', (engine?.heads ?? []).map(({ name, title }) => ({ key: `head:${name}`, title }))],
  ];
}
