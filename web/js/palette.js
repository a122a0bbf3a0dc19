const names = ['ground', 'surface', 'raised', 'line', 'ink', 'quiet', 'faint', 'left', 'right', 'alarm'];
const dark = matchMedia('(prefers-color-scheme: dark)');
const watchers = new Set();

/** The colours of the style sheet, for what is drawn on a canvas. */
export const palette = {};

function read() {
  const style = getComputedStyle(document.documentElement);
  for (const name of names) palette[name] = style.getPropertyValue(`--${name}`).trim();
  palette.font = style.getPropertyValue('--font').trim() || 'sans-serif';
  for (const watcher of watchers) watcher();
}

/** Calls `watcher` whenever the page turns dark or light. */
export function onPaletteChange(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

dark.addEventListener('change', read);
if (document.readyState === 'complete') read();
else addEventListener('load', read);
read();
