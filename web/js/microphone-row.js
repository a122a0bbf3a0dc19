import { PeakHold, decibelText, place, toDecibels } from './decibels.js';
import { element } from './element.js';
import { palette } from './palette.js';
import { Picture } from './picture.js';

const numbersBelow = 34;

/** A thin upright meter for every microphone, with its number and its held peak in dB. */
export function microphoneRow(page) {
  const peaks = page.root.find('microphone.peak');
  const rms = page.root.find('microphone.rms');
  const holds = [];
  const canvas = element('canvas', { class: 'microphones', 'aria-hidden': 'true' });
  const picture = new Picture(canvas, (context, width, height, now) =>
    draw(context, { width, height, now, holds, peaks: page.values.of(peaks), rms: page.values.of(rms) }));
  page.watch(peaks, () => picture.request());
  page.onEnd(() => picture.end());
  return canvas;
}

function draw(context, { width, height, now, holds, peaks, rms }) {
  const slot = width / Math.max(peaks.length, 12);
  const thickness = Math.min(8, slot * 0.4);
  const bottom = height - numbersBelow;
  const every = Math.max(1, Math.ceil(24 / slot));
  const start = (width - slot * peaks.length) / 2;
  let isMoving = false;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  peaks.forEach((linear, index) => {
    const middle = start + slot * (index + 0.5);
    const decibels = toDecibels(linear);
    holds[index] ??= new PeakHold();
    const held = holds[index].take(decibels, now);
    const bar = (share, colour) => {
      context.fillStyle = colour;
      context.fillRect(middle - thickness / 2, bottom - bottom * share, thickness, bottom * share);
    };
    bar(1, palette.line);
    bar(place(decibels), palette.faint);
    bar(place(toDecibels(rms[index] ?? 0)), held >= 0 ? palette.alarm : palette.ink);
    if (place(held) > 0) {
      context.fillStyle = held >= 0 ? palette.alarm : palette.ink;
      context.fillRect(middle - thickness / 2 - 2, bottom - bottom * place(held) - 1, thickness + 4, 2);
      isMoving = true;
    }
    if (index % every === 0) captions(context, middle, bottom, index + 1, held, slot * every);
  });
  return isMoving;
}

function captions(context, middle, bottom, number, held, room) {
  context.font = `600 12px ${palette.font}`;
  context.fillStyle = palette.ink;
  context.fillText(String(number), middle, bottom + 16);
  if (room < 26) return;
  context.font = `400 11px ${palette.font}`;
  context.fillStyle = palette.quiet;
  context.fillText(decibelText(held).replace(/\.\d$/, ''), middle, bottom + 31);
}
