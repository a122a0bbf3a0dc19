import { bandDecibels, compressedDecibels, responseDecibels } from './curves.js';
import { onEscape } from '../shared/controls/escape.js';
import { element } from '../shared/drawing/element.js';
import { palette } from '../shared/drawing/palette.js';
import { Canvas } from '../shared/drawing/canvas.js';
import { roles } from '../shared/tree/roles.js';

const [lowest, highest] = [20, 20000];
const span = 18;
const bandRoles = { shape: roles.bandShape, frequency: roles.bandFrequency, gain: roles.bandGain, q: roles.bandQ };

/** Bands of an equaliser: nodes of four roles each, whose names share a prefix. */
function bandsOf(container) {
  return container.children.filter((node) => node.has(bandRoles.shape)).map((shape) => {
    const prefix = shape.name.slice(0, shape.name.lastIndexOf('-') + 1);
    const own = (role) => container.children.find((node) => node.has(role) && node.name.startsWith(prefix));
    return { shape, frequency: own(bandRoles.frequency), gain: own(bandRoles.gain), q: own(bandRoles.q) };
  }).sort((one, other) => one.shape.name.localeCompare(other.shape.name));
}

const shareOf = (hertz) => Math.log(hertz / lowest) / Math.log(highest / lowest);
const hertzOf = (share) => lowest * (highest / lowest) ** Math.min(1, Math.max(0, share));

/** Label of an axis. */
function mark(context, text, x, y, align) {
  context.font = `400 11px ${palette.font}`;
  context.textBaseline = 'alphabetic';
  context.textAlign = align;
  context.fillStyle = palette.quiet;
  context.fillText(text, x, y);
}

/**
 * Frequency response of an equaliser; a band is dragged by its point, and Escape puts it back.
 * The controls set the same parameters by keyboard.
 *
 * Returns null for a container that has no bands.
 */
export function equaliserPlot(page, container) {
  const bands = bandsOf(container);
  if (bands.length === 0) return null;
  const canvas = element('canvas', { class: 'plot', 'aria-label': 'Frequency response', role: 'img' });
  const value = (node, otherwise) => page.values.of(node)[0] ?? otherwise;
  const now = () => bands.map((band) => ({
    shape: value(band.shape, 'off'), frequency: value(band.frequency, 1000), gain: value(band.gain, 0), q: value(band.q, 1),
  }));
  const hasGain = ({ shape }) => shape === 'peak' || shape.endsWith('shelf');
  const point = (band, width, height) => [shareOf(band.frequency) * width,
    height * (0.5 - (hasGain(band) ? band.gain : Math.max(-span, bandDecibels(band, band.frequency))) / (2 * span))];
  let held = -1;
  let unwatch = () => {};

  const picture = new Canvas(canvas, (context, width, height) => {
    const set = now();
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.beginPath();
    for (const hertz of [50, 100, 200, 500, 1000, 2000, 5000, 10000]) {
      const x = Math.round(shareOf(hertz) * width) + 0.5;
      context.moveTo(x, 0);
      context.lineTo(x, height);
    }
    for (const decibels of [-12, -6, 0, 6, 12]) {
      const y = Math.round(height * (0.5 - decibels / (2 * span))) + 0.5;
      context.moveTo(0, y);
      context.lineTo(width, y);
    }
    context.stroke();
    for (const [hertz, text] of [[100, '100 Hz'], [1000, '1 kHz'], [10000, '10 kHz']]) {
      mark(context, text, shareOf(hertz) * width, height - 3, 'center');
    }
    for (const [decibels, text] of [[12, '+12 dB'], [-12, '−12 dB']]) {
      mark(context, text, 3, height * (0.5 - decibels / (2 * span)) - 2, 'left');
    }
    context.strokeStyle = palette.ink;
    context.lineWidth = 2;
    context.beginPath();
    for (let x = 0; x <= width; x += 2) {
      const y = height * (0.5 - responseDecibels(set, hertzOf(x / width)) / (2 * span));
      if (x === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    context.stroke();
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = `600 11px ${palette.font}`;
    for (const [index, band] of set.entries()) {
      if (band.shape === 'off') continue;
      const [x, y] = point(band, width, height);
      context.beginPath();
      context.arc(x, y, 9, 0, 2 * Math.PI);
      context.fillStyle = index === held ? palette.ink : palette.surface;
      context.fill();
      context.stroke();
      context.fillStyle = index === held ? palette.surface : palette.ink;
      context.fillText(String(index + 1), x, y + 0.5);
    }
  });
  for (const band of bands) for (const node of Object.values(band)) page.watch(node, () => picture.request());

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top, box.width, box.height];
  };
  canvas.addEventListener('pointerdown', (event) => {
    const [x, y, width, height] = place(event);
    const near = now().map((band, index) => {
      const [px, py] = point(band, width, height);
      return [band.shape === 'off' ? Infinity : Math.hypot(px - x, py - y), index];
    }).sort((one, other) => one[0] - other[0])[0];
    if (!near || near[0] > 28) return;
    held = near[1];
    const [band, former] = [bands[held], now()[held]];
    unwatch = onEscape(() => {
      release();
      page.send(band.frequency, [former.frequency]);
      page.send(band.gain, [former.gain]);
    });
    canvas.setPointerCapture(event.pointerId);
    picture.request();
    event.preventDefault();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (held < 0) return;
    const [x, y, width, height] = place(event);
    const band = bands[held];
    page.send(band.frequency, [Math.round(hertzOf(x / width) * 10) / 10]);
    if (hasGain(now()[held])) {
      const gain = Math.min(span, Math.max(-span, (0.5 - y / height) * 2 * span));
      page.send(band.gain, [Math.round(gain * 10) / 10]);
    }
  });
  const release = () => {
    unwatch();
    held = -1;
    picture.request();
  };
  for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, release);
  page.onEnd(() => {
    unwatch();
    picture.end();
  });
  return canvas;
}

/** Output level of a compressor against its input level, -60 to 0 dB; null for a container without those roles. */
export function compressorPlot(page, container) {
  const curveRoles = { threshold: roles.curveThreshold, ratio: roles.curveRatio, knee: roles.curveKnee, makeUp: roles.curveMakeUp };
  const nodes = Object.entries(curveRoles).map(([name, role]) => [name, container.find(role)]);
  if (nodes.some(([, node]) => !node)) return null;
  const canvas = element('canvas', { class: 'plot square', 'aria-label': 'Output level against input level', role: 'img' });
  const picture = new Canvas(canvas, (context, width, height) => {
    const set = Object.fromEntries(nodes.map(([name, node]) => [name, page.values.number(node)]));
    const x = (level) => ((level + 60) / 60) * width;
    const y = (level) => height - ((level + 60) / 66) * height;
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.beginPath();
    for (let level = -48; level < 0; level += 12) {
      context.moveTo(Math.round(x(level)) + 0.5, 0);
      context.lineTo(Math.round(x(level)) + 0.5, height);
      context.moveTo(0, Math.round(y(level)) + 0.5);
      context.lineTo(width, Math.round(y(level)) + 0.5);
    }
    context.moveTo(x(-60), y(-60));
    context.lineTo(x(0), y(0));
    context.stroke();
    for (const level of [-36, -12]) mark(context, `−${-level} dB`, x(level), height - 3, 'center');
    for (const level of [-36, -12]) mark(context, `−${-level} dB`, 3, y(level) - 2, 'left');
    mark(context, 'in', width - 3, height - 3, 'right');
    mark(context, 'out', 3, 12, 'left');
    context.strokeStyle = palette.ink;
    context.lineWidth = 2;
    context.beginPath();
    for (let level = -60; level <= 0; level += 0.5) context.lineTo(x(level), y(compressedDecibels(set, level)));
    context.stroke();
  });
  for (const [, node] of nodes) page.watch(node, () => picture.request());
  page.onEnd(() => picture.end());
  return canvas;
}
