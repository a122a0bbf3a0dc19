import { headingOf } from '../shared/numbers/angles.js';
import { toDecibels } from '../shared/numbers/decibels.js';

const degrees = (radians) => (radians * 180) / Math.PI;

/** Yaw (to the left), pitch (up) and roll (to the right) in degrees of a quaternion w x y z. */
export function anglesOf([w, x, y, z]) {
  return [
    degrees(Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))),
    degrees(Math.asin(Math.max(-1, Math.min(1, 2 * (x * z - w * y))))),
    degrees(Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))),
  ];
}

const level = (linear) => Math.max(-120, toDecibels(linear));
const known = (values) => (values?.some((value) => value > 0) ? values : [NaN, NaN, NaN, NaN]);

/**
 * The charts, one for each topic. `read` returns a chart's numbers from a frame, the index of a listener, and the
 * yaw in degrees that is straight ahead of that listener.
 *
 * `range` holds the ends of the axis; an upper end of null grows with the values, from `least` on. `marks` are its labels.
 */
export const charts = [
  {
    topic: 'meters', title: 'Levels', unit: 'dB', decimals: 1, range: [-60, 6],
    help: 'Peaks since the previous frame.',
    series: [
      { title: 'Left', column: 'ear_left_peak_db', colour: 'left' },
      { title: 'Right', column: 'ear_right_peak_db', colour: 'right' },
      { title: 'Loudest microphone', column: 'microphone_peak_db', colour: 'quiet', dashes: 'dotted' },
    ],
    read: ({ listeners, microphones }, listener) => [
      ...(listeners[listener]?.peak ?? [NaN, NaN]).map(level), level(Math.max(0, ...microphones.peak))],
  },
  {
    topic: 'engine', title: 'Load', unit: '%', decimals: 1, range: [0, null], least: 20,
    help: 'Rendering time as a share of the time available.',
    series: [
      { title: 'Mean', column: 'load_percent', colour: 'ink' },
      { title: 'Slowest block', column: 'worst_load_percent', colour: 'quiet', dashes: 'dotted' },
    ],
    read: ({ load, worst }) => [load * 100, worst * 100],
  },
  {
    topic: 'latency', title: 'Motion to sound', unit: 'ms', decimals: 2, range: [0, null], least: 5,
    help: 'Quantiles over the last 5 seconds.',
    series: [
      { title: 'p50', column: 'motion_to_sound_p50_ms', colour: 'ink' },
      { title: 'p95', column: 'motion_to_sound_p95_ms', colour: 'quiet', dashes: 'dashed' },
      { title: 'Slowest', column: 'motion_to_sound_max_ms', colour: 'quiet', dashes: 'dotted' },
    ],
    read: ({ listeners, motion_to_sound: all }, listener) => {
      const [half, most, , slowest] = known(listeners[listener]?.motion_to_sound ?? all);
      return [half, most, slowest];
    },
  },
  {
    topic: 'poses', title: 'Head', unit: '°', decimals: 1, range: [-180, 180], marks: [-180, -90, 0, 90, 180],
    help: 'Last rendered pose, from straight ahead as on the panel; positive values are left, up, and tilted right.',
    series: [
      { title: 'Yaw', column: 'yaw_degrees', colour: 'ink' },
      { title: 'Pitch', column: 'pitch_degrees', colour: 'quiet', dashes: 'dashed' },
      { title: 'Roll', column: 'roll_degrees', colour: 'quiet', dashes: 'dotted' },
    ],
    read: (poses, listener, front) => {
      if (!poses[listener]) return [NaN, NaN, NaN];
      const [yaw, pitch, roll] = anglesOf(poses[listener].quaternion);
      return [headingOf(yaw, front), pitch, roll];
    },
  },
];
