import { numberText } from '../shared/numbers/units.js';
import { direction, onScreen, rotated } from './sphere-geometry.js';

/** Degrees between two lines of the grid, and between two points of a line. */
const spacing = 30;
const fine = 5;
/** Place of an ear that is out of the picture, as a share of its half. */
const edge = 0.96;
const degrees = (angle) => `${numberText(angle, 0)}°`;

/** Azimuth and place across the picture, -1 to 1, of the left and the right ear; those out of the picture are at its edge. */
export function earPlaces({ head, field }, earAzimuth, aspect) {
  return [1, -1].map((side) => {
    const towards = rotated(head, direction(side * earAzimuth));
    const at = onScreen(head, towards, field, aspect);
    const isInside = at !== null && Math.abs(at.x) < edge;
    return { azimuth: Math.round((Math.atan2(towards[1], towards[0]) * 180) / Math.PI), x: isInside ? at.x : -side * edge, isInside };
  });
}

/** Draws the directions over the picture: a grid with the azimuths in degrees, the microphones on the horizon, and the ears. */
export class SphereMarks {
  /**
   * Draws into a canvas.
   *
   * @param view `head` and `field`, as for `SpherePicture`
   * @param azimuths of the microphones, degrees
   * @param earAzimuth of the left ear, seen from the head, degrees
   */
  draw(context, width, height, { head, field }, azimuths, earAzimuth) {
    const place = (azimuth, elevation) => {
      const at = onScreen(head, direction(azimuth, elevation), field, width / height);
      return at && { x: ((at.x + 1) / 2) * width, y: ((1 - at.y) / 2) * height };
    };
    context.lineWidth = 1;
    context.strokeStyle = 'rgb(255 255 255 / 45%)';
    context.beginPath();
    for (let turn = -180; turn < 180; turn += spacing) {
      this.#line(context, (at) => place(turn, at), -75, 75);
    }
    for (let up = -60; up <= 60; up += spacing) this.#line(context, (at) => place(at, up), -180, 180);
    context.stroke();
    context.font = '600 13px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'bottom';
    for (let turn = -150; turn <= 180; turn += spacing) this.#text(context, place(turn, 0), degrees(turn));
    azimuths.forEach((azimuth, index) => this.#microphone(context, place(azimuth, 0), index + 1));
    earPlaces({ head, field }, earAzimuth, width / height).forEach(({ azimuth, x, isInside }, index) => {
      const align = isInside ? 'center' : ['left', 'right'][index];
      this.#ear(context, ((x + 1) / 2) * width, height / 2, `${'LR'[index]} ${degrees(azimuth)}`, align);
    });
  }

  /** An ear with the azimuth to which it points; the text stays inside the picture. */
  #ear(context, x, y, text, align) {
    context.beginPath();
    context.arc(x, y, 7, 0, 2 * Math.PI);
    context.fillStyle = 'white';
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = 'black';
    context.stroke();
    context.textAlign = align;
    this.#text(context, { x: align === 'center' ? x : x + (align === 'left' ? -7 : 7), y: y - 8 }, text);
    context.textAlign = 'center';
  }

  #line(context, place, from, to) {
    let isDrawing = false;
    for (let at = from; at <= to; at += fine) {
      const point = place(at);
      if (point && isDrawing) context.lineTo(point.x, point.y);
      else if (point) context.moveTo(point.x, point.y);
      isDrawing = Boolean(point);
    }
  }

  #text(context, point, text) {
    if (!point) return;
    context.strokeStyle = 'rgb(0 0 0 / 70%)';
    context.lineWidth = 3;
    context.strokeText(text, point.x, point.y - 4);
    context.fillStyle = 'white';
    context.fillText(text, point.x, point.y - 4);
  }

  #microphone(context, point, number) {
    if (!point) return;
    context.beginPath();
    context.arc(point.x, point.y, 6, 0, 2 * Math.PI);
    context.fillStyle = 'black';
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = 'white';
    context.stroke();
    this.#text(context, { x: point.x, y: point.y + 28 }, String(number));
  }
}
