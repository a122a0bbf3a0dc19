import { element } from './element.js';

/** Shapes in a square of 24 by 24; those in `drawn` are stroked, the others filled. */
const shapes = {
  play: 'M8 5.2v13.6a1 1 0 0 0 1.5.86l11.2-6.8a1 1 0 0 0 0-1.72L9.5 4.34A1 1 0 0 0 8 5.2z',
  pause: 'M6.4 4H11v16H6.4zM13 4h4.6v16H13z',
  stop: 'M6.5 5h11A1.5 1.5 0 0 1 19 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 17.5v-11A1.5 1.5 0 0 1 6.5 5z',
  loop: 'M17 3l3.5 3.5L17 10M3.5 11.5V10A3.5 3.5 0 0 1 7 6.5h13.5'
    + 'M7 21l-3.5-3.5L7 14M20.5 12.5V14a3.5 3.5 0 0 1-3.5 3.5H3.5',
  headphones: 'M4 15v-2.5a8 8 0 0 1 16 0V15M4 15.5A2 2 0 0 1 6 13.5h1.5v6.5H6a2 2 0 0 1-2-2z'
    + 'M20 15.5a2 2 0 0 0-2-2h-1.5v6.5H18a2 2 0 0 0 2-2z',
  close: 'M6 6l12 12M18 6L6 18',
  centre: 'M12 2.5v5M12 16.5v5M2.5 12h5M16.5 12h5M12 10.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z',
  grip: 'M9 5.5v.01M15 5.5v.01M9 12v.01M15 12v.01M9 18.5v.01M15 18.5v.01',
  warning: 'M12 4L2.8 19.5h18.4zM12 10v4.5M12 17v.2',
};
const drawn = new Set(['loop', 'headphones', 'close', 'centre', 'grip', 'warning']);

/** An icon for a button that has a label of its own. */
export function icon(name, size = 24) {
  return element('svg', {
    class: drawn.has(name) ? 'icon drawn' : 'icon',
    viewBox: '0 0 24 24', width: size, height: size, 'aria-hidden': 'true',
  }, element('path', { d: shapes[name] }));
}
