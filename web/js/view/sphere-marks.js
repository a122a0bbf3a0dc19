import { direction, onScreen } from './sphere-geometry.js';

/** Degrees between two lines of the grid, and between two points of a line. */
const spacing = 30;
const fine = 5;

/** Draws the directions over the picture: a grid with the azimuths in degrees, and the microphones on the horizon. */
export class SphereMarks {
  /**
   * Draws into a canvas.
   *
   * @param view `head` and `field`, as for `SpherePicture`
   * @param azimuths of the microphones, degrees
   */
  draw(context, width, height, { head, field }, azimuths) {
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
    for (let turn = -150; turn <= 180; turn += spacing) this.#text(context, place(turn, 0), `${turn}°`);
    azimuths.forEach((azimuth, index) => this.#microphone(context, place(azimuth, 0), index + 1));
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
