import { toScreen } from '../numbers/angles.js';
import { palette } from './palette.js';

const fullTurn = 2 * Math.PI;

/**
 * Draws a head from above around the origin of the context: nose, ears and their letters.
 *
 * @param size its radius in pixels
 * @param head { heading, earAzimuth } in degrees
 */
export function drawHead(context, size, { heading, earAzimuth }) {
  context.save();
  context.rotate((-heading * Math.PI) / 180);
  context.fillStyle = palette.surface;
  context.strokeStyle = palette.ink;
  context.lineWidth = 2.5;
  context.lineJoin = 'round';
  for (const [side, colour] of [[1, palette.left], [-1, palette.right]]) {
    const { x, y } = toScreen(side * earAzimuth, size * 1.1);
    context.save();
    context.translate(x, y);
    context.rotate((-side * (earAzimuth - 90) * Math.PI) / 180);
    context.fillStyle = colour;
    context.beginPath();
    context.ellipse(0, 0, size * 0.18, size * 0.3, 0, 0, fullTurn);
    context.fill();
    context.restore();
  }
  context.fillStyle = palette.ink;
  context.beginPath();
  context.moveTo(-size * 0.24, -size * 0.98);
  context.lineTo(0, -size * 1.3);
  context.lineTo(size * 0.24, -size * 0.98);
  context.closePath();
  context.fill();
  context.stroke();
  context.fillStyle = palette.surface;
  context.beginPath();
  context.ellipse(0, 0, size * 0.97, size * 1.02, 0, 0, fullTurn);
  context.fill();
  context.stroke();
  context.restore();
  letters(context, size, heading, earAzimuth);
}

function letters(context, size, heading, earAzimuth) {
  context.font = `700 ${Math.max(12, size * 0.26)}px ${palette.font}`;
  context.fillStyle = palette.ink;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const [letter, side] of [['L', 1], ['R', -1]]) {
    const { x, y } = toScreen(heading + side * earAzimuth, size * 0.6);
    context.fillText(letter, x, y);
  }
}
