const watchers = new Set();
let kinds = [];

/** Asks the engine what files it takes: nothing from browsers that may not control. */
export async function learnUploads(world) {
  try {
    const response = await world.fetch('/files', { headers: { Accept: 'application/json' }, cache: 'no-store' });
    kinds = response.ok ? await response.json() : [];
  } catch {
    kinds = [];
  }
  for (const watcher of watchers) watcher();
}

/** Calls `watcher` with a kind of files (`{ name, endings, most }`, or undefined), now and at changes, until the page ends. */
export function onUploadKind(page, name, watcher) {
  const look = () => watcher(kinds.find((kind) => kind.name === name));
  watchers.add(look);
  page.onEnd(() => watchers.delete(look));
  look();
}

/** Calls `watcher` with all kinds of files that this browser may send, now and at changes, until the page ends. */
export function onUploadKinds(page, watcher) {
  const look = () => watcher(kinds);
  watchers.add(look);
  page.onEnd(() => watchers.delete(look));
  look();
}

/** The reason why a file is not sent; null for one that may be sent. */
export function uploadProblem({ endings, most }, { name, size }) {
  const ending = name.includes('.') ? name.split('.').pop().toLowerCase() : '';
  if (!endings.includes(ending)) return `${name} was not sent: files here end in .${endings.join(', .')}.`;
  if (size > most) return `${name} was not sent: it has ${sizeText(size)}, and at most ${sizeText(most)} are allowed.`;
  return size === 0 ? `${name} was not sent: it is empty.` : null;
}

/** A number of bytes in words. */
export function sizeText(bytes) {
  const steps = [['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10]];
  const [unit, size] = steps.find(([, each]) => bytes >= each) ?? ['bytes', 1];
  const count = bytes / size;
  return `${count >= 10 || unit === 'bytes' ? Math.round(count) : Math.round(count * 10) / 10} ${unit}`;
}
