const names = ['ground', 'surface', 'raised', 'line', 'ink', 'quiet', 'faint', 'left', 'right', 'alarm'];
const watchers = new Set();

/** The colours of the style sheet, for drawing on a canvas; empty until `followColours` is called. */
export const palette = {};

function read() {
  const style = getComputedStyle(document.documentElement);
  for (const name of names) palette[name] = style.getPropertyValue(`--${name}`).trim();
  palette.font = style.getPropertyValue('--font').trim() || 'sans-serif';
  for (const watcher of watchers) watcher();
}

/** Calls `watcher` when the colours have been read again; returns a function that ends it. */
export function onPaletteChange(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Reads the colours now, once the style sheet has loaded, and at every change of the colour scheme. */
export function followColours() {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', read);
  if (document.readyState !== 'complete') addEventListener('load', read);
  read();
}
