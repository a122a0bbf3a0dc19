import { toScreen } from '../shared/numbers/angles.js';
import { drawHead } from '../shared/drawing/head-picture.js';
import { palette } from '../shared/drawing/palette.js';
import { numberText, withUnit } from '../shared/numbers/units.js';

/** Radius of the head, as a share of the map's. */
const headShare = 0.085;
/** Radius in pixels of a head on the network, and how many of them are drawn with their names. */
const crowdRadius = 5;
const mostNames = 16;
/** Azimuth of the labels on the circles. */
const labelAzimuth = -150;

/**
 * Draws the map without the labels of objects: circles of distance, the directions, the places of the objects, and the heads.
 *
 * @param scene { walls: of the room, pairs of a colour and positions; at: point of the head; others: name, heading and point of each
 *   further listener; crowd: the same of the listeners on the network; spots: pairs of an object's place and its label's }
 */
export function drawMap(context, width, height, { geometry, unit, walls, heading, earAzimuth, name, at, others, crowd, spots, chosen }) {
  const half = Math.min(width, height) / 2;
  context.save();
  context.translate(width / 2, height / 2);
  context.lineCap = 'round';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  circles(context, half, geometry, unit);
  outline(context, half, geometry, walls);
  directions(context, half);
  if (chosen) spoke(context, half, at, chosen);
  for (const [place, label] of spots) spot(context, half, place, label);
  for (const head of crowd) smallHead(context, half, head, crowd.length <= mostNames);
  const size = Math.max(20, half * headShare);
  for (const other of [{ name, heading, at }, ...others]) {
    context.save();
    context.translate(other.at.x * half, other.at.y * half);
    if (other.at.x !== at.x || other.at.y !== at.y) mark(context, size);
    if (other.name) nose(context, size, other);
    context.restore();
  }
  context.translate(at.x * half, at.y * half);
  drawHead(context, size, { heading, earAzimuth });
  context.restore();
}

function circles(context, half, geometry, unit) {
  context.font = `400 11px ${palette.font}`;
  for (const distance of geometry.circles) {
    const radius = half * geometry.radius(distance);
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.beginPath();
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    context.stroke();
    const { x, y } = toScreen(labelAzimuth, radius);
    const text = withUnit(numberText(distance, 2), unit);
    const room = context.measureText(text).width + 8;
    context.fillStyle = palette.surface;
    context.fillRect(x - room / 2, y - 8, room, 16);
    context.fillStyle = palette.quiet;
    context.fillText(text, x, y);
  }
}

function directions(context, half) {
  context.font = `500 12px ${palette.font}`;
  context.fillStyle = palette.quiet;
  for (const [word, azimuth, turn] of [['Front', 0, 0], ['Left', 90, -90], ['Back', 180, 0], ['Right', -90, 90]]) {
    const { x, y } = toScreen(azimuth, half - 9);
    context.save();
    context.translate(x, y);
    context.rotate((turn * Math.PI) / 180);
    context.fillText(word, 0, 0);
    context.restore();
  }
}

/** Outline of the room, each wall in the colour of its material on a dark line, which keeps pale ones visible. */
function outline(context, half, geometry, walls) {
  context.lineJoin = 'round';
  for (const [width, own] of [[5, palette.faint], [3, null]]) {
    for (const [colour, positions] of walls) {
      context.strokeStyle = own ?? colour;
      context.lineWidth = width;
      context.beginPath();
      for (const position of positions) {
        const { x, y } = geometry.place(position);
        context.lineTo(x * half, y * half);
      }
      context.stroke();
    }
  }
}

/** The place of an object as a dot, with a line to its label if that is elsewhere. */
function spot(context, half, place, label) {
  const [x, y] = [place.x * half, place.y * half];
  if (Math.hypot(label.x - place.x, label.y - place.y) > 1e-6) {
    context.strokeStyle = palette.faint;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(label.x * half, label.y * half);
    context.stroke();
  }
  context.fillStyle = palette.ink;
  context.beginPath();
  context.arc(x, y, 4, 0, 2 * Math.PI);
  context.fill();
}

/** Direction of a listener's head as an arrow around the head that is drawn, with the listener's name. */
function nose(context, size, { name, heading }) {
  const tip = toScreen(heading, size * 1.75);
  context.save();
  context.translate(tip.x, tip.y);
  context.rotate((-heading * Math.PI) / 180);
  context.fillStyle = palette.quiet;
  context.beginPath();
  context.moveTo(-5, 6);
  context.lineTo(0, -4);
  context.lineTo(5, 6);
  context.fill();
  context.restore();
  const text = toScreen(heading, size * 2.2);
  context.font = `600 12px ${palette.font}`;
  context.fillStyle = palette.quiet;
  context.fillText(name, text.x, text.y);
}

/** The head of a listener on the network: a small circle with a line to where it looks. */
function smallHead(context, half, { name, heading, at }, isNamed) {
  context.save();
  context.translate(at.x * half, at.y * half);
  context.fillStyle = palette.surface;
  context.strokeStyle = palette.quiet;
  context.lineWidth = 1.5;
  const tip = toScreen(heading, 2 * crowdRadius);
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(tip.x, tip.y);
  context.stroke();
  context.beginPath();
  context.arc(0, 0, crowdRadius, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  if (isNamed) {
    context.font = `500 11px ${palette.font}`;
    context.fillStyle = palette.quiet;
    context.fillText(name, 0, 3 * crowdRadius);
  }
  context.restore();
}

/** The head of a listener who is elsewhere than the chosen one: a circle. */
function mark(context, size) {
  context.fillStyle = palette.surface;
  context.strokeStyle = palette.quiet;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(0, 0, size, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
}

/** Line from the head to the selected object. */
function spoke(context, half, at, { x, y }) {
  context.strokeStyle = palette.quiet;
  context.lineWidth = 1.5;
  context.setLineDash([2, 5]);
  context.beginPath();
  context.moveTo(at.x * half, at.y * half);
  context.lineTo(x * half, y * half);
  context.stroke();
  context.setLineDash([]);
}
