import { matrix, product, rotation } from './sphere-geometry.js';

const corners = `#version 300 es
in vec2 corner;
out vec2 place;
void main() {
  place = corner;
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

const sphere = `#version 300 es
precision highp float;
in vec2 place;
out vec4 colour;
uniform sampler2D frame;
uniform mat3 turn;
uniform vec2 reach;
uniform vec2 centre;
uniform vec4 part;
uniform vec2 texel;
uniform vec2 lens;
const float pi = 3.14159265358979;
void main() {
  vec2 seen = place - centre;
  float square = dot(seen, seen);
  seen *= 1.0 + lens.x * square + lens.y * square * square;
  if (lens.x > 0.0 && max(abs(seen.x), abs(seen.y)) > 1.6) { colour = vec4(0.0, 0.0, 0.0, 1.0); return; }
  vec3 direction = normalize(turn * vec3(1.0, -seen.x * reach.x, seen.y * reach.y));
  vec2 at = vec2(0.5 - atan(direction.y, direction.x) / (2.0 * pi), 0.5 - asin(clamp(direction.z, -1.0, 1.0)) / pi);
  // Half a pixel from the edges, where the picture of the other eye or the opposite side would be mixed in.
  vec2 inside = clamp(vec2(fract(at.x), at.y) * part.zw, 0.5 * texel, part.zw - 0.5 * texel);
  colour = vec4(texture(frame, part.xy + inside).rgb, 1.0);
}`;

/** Coefficients of the distortion that undoes that of a cardboard viewer's lenses. */
const lenses = [0.22, 0.24];
const whole = [0, 0, 1, 1];
/** Parts of a frame by its layout: x, y, width and height of the left and the right eye's picture, from the upper left. */
const parts = {
  'mono': [whole, whole],
  'top-bottom': [[0, 0, 1, 0.5], [0, 0.5, 1, 0.5]],
  'side-by-side': [[0, 0, 0.5, 1], [0.5, 0, 0.5, 1]],
};

/** Draws equirectangular video around the viewer, by WebGL 2. */
export class SpherePicture {
  /** @throws when the browser has no WebGL 2 */
  constructor(canvas) {
    this.canvas = canvas;
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => this.#prepare());
    this.gl = canvas.getContext('webgl2', { antialias: false, alpha: false });
    if (!this.gl) throw new Error('this browser has no WebGL 2');
    this.#prepare();
  }

  #prepare() {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, corners], [gl.FRAGMENT_SHADER, sphere]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    const names = ['turn', 'reach', 'centre', 'part', 'texel', 'lens'];
    this.at = Object.fromEntries(names.map((name) => [name, gl.getUniformLocation(program, name)]));
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(gl.getAttribLocation(program, 'corner'), 2, gl.FLOAT, false, 0, 0);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    const settings = { MIN_FILTER: gl.LINEAR, MAG_FILTER: gl.LINEAR, WRAP_S: gl.CLAMP_TO_EDGE, WRAP_T: gl.CLAMP_TO_EDGE };
    for (const [name, value] of Object.entries(settings)) {
      gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${name}`], value);
    }
    this.hasFrame = false;
  }

  /**
   * Takes the current frame of a video.
   *
   * @throws a RangeError with the largest size when this browser draws no frames of its size
   */
  take(video) {
    const { gl } = this;
    const most = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    if (Math.max(video.videoWidth, video.videoHeight) > most) throw new RangeError(`${most} × ${most}`);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, video);
    this.size = [video.videoWidth, video.videoHeight];
    this.hasFrame = true;
  }

  /**
   * Draws the latest frame.
   *
   * @param view `head`, a rotation; `yaw`, `pitch` and `roll` of the picture; `layout`; `field`, width of the view in degrees;
   *   `isSplit`, a picture for each eye; `spacing`, by which the centres of the split pictures are moved apart, -0.3 to 0.3
   */
  draw({ head, yaw, pitch, roll, layout, field, isSplit, spacing }) {
    const { gl, canvas } = this;
    const scale = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((length) => Math.max(1, Math.round(length * scale)));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    if (!this.hasFrame) {
      gl.clearColor(0, 0, 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      return;
    }
    const eyes = isSplit ? 2 : 1;
    const aspect = width / eyes / height;
    const reach = Math.tan((field * Math.PI) / 360);
    for (let eye = 0; eye < eyes; eye += 1) {
      this.#drawEye({
        head, eye, reach: [reach * Math.min(1, aspect), reach * Math.min(1, 1 / aspect)],
        centre: [isSplit ? (eye === 0 ? spacing : -spacing) : 0, 0],
        area: [eye * Math.floor(width / 2), 0, isSplit ? Math.floor(width / 2) : width, height],
      }, { yaw, pitch, roll, layout }, isSplit ? lenses : [0, 0]);
    }
  }

  /**
   * Draws the latest frame for the eyes of a headset.
   *
   * @param eyes of each: `head`, a rotation; `reach`, tangents of half its view across and up; `centre`, the place of the straight
   *   direction from -1 to 1; `area`, left, bottom, width and height in pixels; `eye`, 0 for the left one
   */
  drawEyes(framebuffer, eyes, picture) {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (this.hasFrame) for (const eye of eyes) this.#drawEye(eye, picture, [0, 0]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  #drawEye({ head, reach, centre, area, eye }, { yaw, pitch, roll, layout }, lens) {
    const { gl, at } = this;
    gl.viewport(...area);
    gl.uniformMatrix3fv(at.turn, false, matrix(product(rotation(yaw, pitch, roll), head)));
    gl.uniform2f(at.texel, 1 / this.size[0], 1 / this.size[1]);
    gl.uniform2f(at.lens, ...lens);
    gl.uniform2f(at.reach, ...reach);
    gl.uniform2f(at.centre, ...centre);
    gl.uniform4f(at.part, ...(parts[layout] ?? parts.mono)[eye]);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }
}
