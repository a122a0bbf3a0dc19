import { canvasAngle, toScreen } from '../shared/numbers/angles.js';
import { drawHead } from '../shared/drawing/head-picture.js';
import { PeakHold, placeOf, place, toDecibels } from '../shared/numbers/decibels.js';
import { palette } from '../shared/drawing/palette.js';

const fullTurn = 2 * Math.PI;
/** Smallest weight that is drawn. */
const smallestWeight = 0.004;
/** Width in pixels outside the level bars of the microphones' numbers, and of the directions' names. */
const numberBand = 24;
const wordBand = 19;

/**
 * Draws the scene from above: microphones with their levels, the head, and the weights that lead to each ear.
 *
 * Keeps the held peaks; everything else is passed to each call as a `scene`.
 */
export class RingPicture {
  constructor() {
    this.holds = [];
  }

  /** Draws the scene; returns true while a held peak is falling. */
  draw(context, width, height, now, scene) {
    const half = Math.min(width, height) / 2;
    this.context = context;
    const level = half - wordBand - numberBand;
    const ring = level * 0.68;
    this.radii = {
      word: half - 9, number: half - wordBand - numberBand / 2 + 2, level, ring, track: ring * 0.73, head: ring * 0.4,
    };
    context.save();
    context.translate(width / 2, height / 2);
    context.lineCap = 'round';
    this.#directions();
    const isMoving = this.#microphones(scene, now);
    this.#track(scene);
    for (const ear of ['left', 'right']) this.#weights(scene, ear);
    this.#dots(scene);
    drawHead(context, this.radii.head, scene);
    this.#grip(scene);
    context.restore();
    return isMoving;
  }

  #directions() {
    const { context, radii } = this;
    context.font = `500 12px ${palette.font}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = palette.quiet;
    for (const [word, azimuth, turn] of [['Front', 0, 0], ['Left', 90, -90], ['Back', 180, 0], ['Right', -90, 90]]) {
      const { x, y } = toScreen(azimuth, radii.word);
      context.save();
      context.translate(x, y);
      context.rotate((turn * Math.PI) / 180);
      context.fillText(word, 0, 0);
      context.restore();
    }
  }

  #microphones({ azimuths, peaks, rms }, now) {
    const { context, radii } = this;
    context.strokeStyle = palette.line;
    context.lineWidth = 1.5;
    if (azimuths.length === 0) context.setLineDash([2, 8]);
    circle(context, radii.ring);
    context.setLineDash([]);
    const inner = radii.ring + 13;
    const span = radii.level - inner;
    const gap = (fullTurn * radii.ring) / Math.max(azimuths.length, 1);
    const thickness = Math.max(2, Math.min(9, gap * 0.34));
    const every = Math.max(1, Math.ceil(20 / ((fullTurn * radii.number) / Math.max(azimuths.length, 1))));
    let isMoving = false;
    azimuths.forEach((azimuth, index) => {
      const bar = (from, to, colour, wide = thickness) => this.#radial(azimuth, from, to, colour, wide);
      bar(inner, radii.level, palette.line);
      const level = placeOf(rms[index] ?? 0);
      const peak = toDecibels(peaks[index] ?? 0);
      this.holds[index] ??= new PeakHold();
      const held = this.holds[index].take(peak, now);
      const isHot = held >= 0;
      if (place(peak) > 0) bar(inner, inner + span * place(peak), palette.faint);
      if (level > 0) bar(inner, inner + span * level, isHot ? palette.alarm : palette.ink);
      if (place(held) > 0) {
        const at = inner + span * place(held);
        this.#crossbar(azimuth, at, thickness + 4, isHot ? palette.alarm : palette.ink);
        isMoving = true;
      }
      if (index % every === 0) this.#number(index + 1, azimuth);
    });
    return isMoving;
  }

  #radial(azimuth, from, to, colour, width) {
    const { context } = this;
    const start = toScreen(azimuth, from);
    const end = toScreen(azimuth, to);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineCap = 'butt';
    line(context, start, end);
    context.lineCap = 'round';
  }

  #crossbar(azimuth, radius, width, colour) {
    const { context } = this;
    const share = ((width / radius) * 90) / Math.PI;
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.lineCap = 'butt';
    line(context, toScreen(azimuth - share, radius), toScreen(azimuth + share, radius));
  }

  #number(number, azimuth) {
    const { context, radii } = this;
    const { x, y } = toScreen(azimuth, radii.number);
    context.font = `500 12px ${palette.font}`;
    context.fillStyle = palette.quiet;
    context.fillText(String(number), x, y);
  }

  /** Track of the grip, and an arc from the front to the heading. */
  #track({ heading }) {
    const { context, radii } = this;
    context.strokeStyle = palette.line;
    context.lineWidth = 1.5;
    circle(context, radii.track);
    this.#radial(0, radii.track - 6, radii.track + 6, palette.faint, 2);
    if (Math.abs(heading) < 0.5) return;
    context.strokeStyle = palette.quiet;
    context.lineWidth = 3;
    context.beginPath();
    context.arc(0, 0, radii.track, canvasAngle(0), canvasAngle(heading), heading > 0);
    context.stroke();
  }

  /** Lines of one ear: low weights solid and straight, high weights dashed and curved. */
  #weights(scene, ear) {
    const { context, radii } = this;
    const count = scene.azimuths.length;
    const side = ear === 'left' ? 1 : -1;
    const from = toScreen(scene.heading + side * scene.earAzimuth, radii.head * 1.22);
    const row = ear === 'left' ? 0 : count;
    scene.azimuths.forEach((azimuth, index) => {
      const to = toScreen(azimuth, radii.ring);
      for (const [weights, isHigh] of [[scene.low, false], [scene.high, true]]) {
        const weight = weights[row + index] ?? 0;
        const size = Math.abs(weight);
        if (size < smallestWeight) continue;
        context.strokeStyle = palette[ear];
        context.globalAlpha = 0.35 + 0.65 * Math.min(1, size);
        context.lineWidth = 1 + 5 * Math.min(1, size);
        context.setLineDash(isHigh ? [1, 5 + context.lineWidth] : []);
        curve(context, from, to, isHigh ? 16 * side : 0);
        if (weight < 0) {
          context.setLineDash([]);
          context.strokeStyle = palette.ground;
          context.lineWidth = Math.max(0.5, context.lineWidth - 2.5);
          curve(context, from, to, isHigh ? 16 * side : 0);
        }
      }
    });
    context.globalAlpha = 1;
    context.setLineDash([]);
  }

  /** The microphones, larger and coloured according to the weight with which an ear hears them. */
  #dots({ azimuths, low, high }) {
    const { context, radii } = this;
    const count = azimuths.length;
    const share = (index) => Math.max(Math.abs(low[index] ?? 0), Math.abs(high[index] ?? 0));
    azimuths.forEach((azimuth, index) => {
      const left = share(index);
      const right = share(count + index);
      const most = Math.min(1, Math.max(left, right));
      const { x, y } = toScreen(azimuth, radii.ring);
      context.fillStyle = most < smallestWeight ? palette.faint : left >= right ? palette.left : palette.right;
      disc(context, x, y, 4 + 3.5 * most);
    });
  }

  #grip({ heading, isHeld, isFocused }) {
    const { context, radii } = this;
    const { x, y } = toScreen(heading, radii.track);
    context.fillStyle = palette.ground;
    disc(context, x, y, isHeld ? 17 : 14);
    context.fillStyle = palette.ink;
    disc(context, x, y, isHeld ? 13 : 10);
    if (!isFocused) return;
    context.strokeStyle = palette.ink;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, 18, 0, fullTurn);
    context.stroke();
  }
}

function circle(context, radius) {
  context.beginPath();
  context.arc(0, 0, radius, 0, fullTurn);
  context.stroke();
}

function disc(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, fullTurn);
  context.fill();
}

function line(context, from, to) {
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
}

/** Draws a line that is curved sideways by a number of pixels. */
function curve(context, from, to, sideways) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const x = (from.x + to.x) / 2 + (sideways * (to.y - from.y)) / length;
  const y = (from.y + to.y) / 2 - (sideways * (to.x - from.x)) / length;
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.quadraticCurveTo(x, y, to.x, to.y);
  context.stroke();
}
