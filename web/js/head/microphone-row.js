import { PeakHold, decibelText, place, toDecibels } from '../shared/numbers/decibels.js';
import { element } from '../shared/drawing/element.js';
import { palette } from '../shared/drawing/palette.js';
import { Canvas } from '../shared/drawing/canvas.js';
import { roles } from '../shared/tree/roles.js';

const numbersBelow = 34;

/** A thin vertical meter for every microphone, with its number and its held peak in dB. */
export function microphoneRow(page) {
  const peaks = page.root.find(roles.microphonePeak);
  const rms = page.root.find(roles.microphoneRMS);
  const holds = [];
  const canvas = element('canvas', { class: 'microphones', 'aria-hidden': 'true' });
  const picture = new Canvas(canvas, (context, width, height, now) =>
    draw(context, { width, height, now, holds, peaks: page.values.of(peaks), rms: page.values.of(rms) }));
  page.watch(peaks, (values) => {
    canvas.hidden = values.length === 0;
    picture.request();
  });
  page.onEnd(() => picture.end());
  return canvas;
}

function draw(context, { width, height, now, holds, peaks, rms }) {
  const column = width / Math.max(peaks.length, 12);
  const thickness = Math.min(8, column * 0.4);
  const bottom = height - numbersBelow;
  const numberEvery = Math.ceil(18 / column);
  const levelEvery = Math.ceil(30 / column);
  const start = (width - column * peaks.length) / 2;
  let isMoving = false;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  peaks.forEach((linear, index) => {
    const middle = start + column * (index + 0.5);
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
    if (index % numberEvery === 0) caption(context, middle, bottom + 16, String(index + 1), true);
    if (index % levelEvery === 0) caption(context, middle, bottom + 31, decibelText(held).replace(/\.\d$/, ''), false);
  });
  return isMoving;
}

function caption(context, x, y, text, isStrong) {
  context.font = isStrong ? `600 12px ${palette.font}` : `400 11px ${palette.font}`;
  context.fillStyle = isStrong ? palette.ink : palette.quiet;
  context.fillText(text, x, y);
}
