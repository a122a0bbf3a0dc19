import { element } from './element.js';

/** Width in modules of the light margin that scanners need. */
const quiet = 4;

/** The dark modules as one path, row by row. */
export function modulesPath(rows) {
  const runs = [];
  rows.forEach((row, y) => {
    for (const run of row.matchAll(/1+/g)) runs.push(`M${run.index + quiet} ${y + quiet}h${run[0].length}v1h-${run[0].length}z`);
  });
  return runs.join('');
}

/** A QR code from its rows, `1` for dark; black on white in every colour scheme. */
export function qrCode(rows, label) {
  const size = rows.length + 2 * quiet;
  return element('svg', { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label },
    element('rect', { width: size, height: size, fill: '#fff' }),
    element('path', { d: modulesPath(rows), fill: '#000', 'shape-rendering': 'crispEdges' }));
}
