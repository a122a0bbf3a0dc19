import { element } from './element.js';

/** Shapes in a square of 24 by 24; those in `filled` are filled, the others stroked. */
const shapes = {
  play: 'M8 5.2v13.6a1 1 0 0 0 1.5.86l11.2-6.8a1 1 0 0 0 0-1.72L9.5 4.34A1 1 0 0 0 8 5.2z',
  pause: 'M6.4 4H11v16H6.4zM13 4h4.6v16H13z',
  stop: 'M6.5 5h11A1.5 1.5 0 0 1 19 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 17.5v-11A1.5 1.5 0 0 1 6.5 5z',
  previous: 'M6 5.5v13M18.5 5.8v12.4L9 12z',
  next: 'M18 5.5v13M5.5 5.8v12.4L15 12z',
  record: 'M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z',
  loop: 'M17 3l3.5 3.5L17 10M3.5 11.5V10A3.5 3.5 0 0 1 7 6.5h13.5'
    + 'M7 21l-3.5-3.5L7 14M20.5 12.5V14a3.5 3.5 0 0 1-3.5 3.5H3.5',
  headphones: 'M4 15v-2.5a8 8 0 0 1 16 0V15M4 15.5A2 2 0 0 1 6 13.5h1.5v6.5H6a2 2 0 0 1-2-2z'
    + 'M20 15.5a2 2 0 0 0-2-2h-1.5v6.5H18a2 2 0 0 0 2-2z',
  close: 'M6 6l12 12M18 6L6 18',
  centre: 'M12 2.5v5M12 16.5v5M2.5 12h5M16.5 12h5M12 10.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z',
  grip: 'M9 5.5v.01M15 5.5v.01M9 12v.01M15 12v.01M9 18.5v.01M15 18.5v.01',
  undo: 'M8.5 5L4 9.5 8.5 14M4 9.5h10a5.5 5.5 0 0 1 0 11H9',
  redo: 'M15.5 5L20 9.5 15.5 14M20 9.5H10a5.5 5.5 0 0 0 0 11h5',
  power: 'M12 3.5v8M7 6.6a7.5 7.5 0 1 0 10 0',
  more: 'M5 12v.01M12 12v.01M19 12v.01',
  chevron: 'M7 10l5 5 5-5',
  back: 'M14.5 5.5L8 12l6.5 6.5',
  forward: 'M9.5 5.5L16 12l-6.5 6.5',
  tap: 'M9 11V5.5a1.8 1.8 0 0 1 3.6 0V11l4.6 1.2a2.4 2.4 0 0 1 1.8 2.6l-.6 5.7h-8.6L5.6 15a1.7 1.7 0 0 1 2.6-2.1L9 14',
  head: 'M12 20.5a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM9.6 6.6L12 3l2.4 3.6M3.5 12v3M20.5 12v3',
  effects: 'M4 7h8M17 7h3M14.5 4.5v5M4 17h3M12 17h8M9.5 14.5v5',
  objects: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 12v.01M16.5 9v.01M8 8.5v.01M14 16.5v.01',
  trackers: 'M8.5 3.5h7v17h-7zM11.5 17.5h1M4.5 8.5a9 9 0 0 0 0 7M19.5 8.5a9 9 0 0 1 0 7',
  array: 'M12 3.5v.01M18 6v.01M20.5 12v.01M18 18v.01M12 20.5v.01M6 18v.01M3.5 12v.01M6 6v.01'
    + 'M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
  session: 'M3.5 7A1.5 1.5 0 0 1 5 5.5h4L11 8h8a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 19H5a1.5 1.5 0 0 1-1.5-1.5z',
  library: 'M4.5 4v16M9 4v16M13 4.6l4.2-.9 3 15.6-4.2.9z',
  engine: 'M3 12h4l2.5-6.5 4.5 13L16.5 12H21',
  spectrogram: 'M4 20v-3M4 13v-2M8 20V9M8 6V4M12 20v-7M12 10V8M16 20v-9M16 8V4M20 20v-4M20 13v-2',
  warning: 'M12 4L2.8 19.5h18.4zM12 10v4.5M12 17v.2',
};
const filled = new Set(['play', 'pause', 'stop', 'record']);

/** An icon for a button that has a label of its own. */
export function icon(name, size = 24) {
  return element('svg', {
    class: filled.has(name) ? 'icon' : 'icon drawn',
    viewBox: '0 0 24 24', width: size, height: size, 'aria-hidden': 'true',
  }, element('path', { d: shapes[name] }));
}
