import { inverse, product } from './sphere-geometry.js';

const session = 'immersive-vr';

/** Rotation w x y z, with axes front, left and up, of an orientation of WebXR, whose axes are right, up and back. */
export const fromHeadset = ({ x, y, z, w }) => [w, -z, -x, y];

/** Tangents of half the view, and place of the straight direction in it from -1 to 1, of a projection matrix of WebXR. */
export const opening = (matrix) => ({ reach: [1 / matrix[0], 1 / matrix[5]], centre: [-matrix[8], -matrix[9]] });

/** 360-degree video in a headset, by WebXR: a picture for each eye, and the headset's pose as that of the head. */
export class Headset {
  #session = null;
  #space = null;
  #layer = null;
  /** Frames that were drawn in this session, for tests. */
  frames = 0;

  /**
   * @param picture a `SpherePicture`
   * @param events `begin()` and `ended()` of a session; `sense(rotation)` takes a pose; `frame()` returns the picture's `yaw`, `pitch`,
   *   `roll` and `layout`, and `head`, the rotation for the pose; `pressed()` when a controller's button is pressed
   */
  constructor(picture, events, world = globalThis) {
    Object.assign(this, { picture, events, world });
  }

  get isOn() {
    return this.#session !== null;
  }

  /** Calls with whether there is a headset: now, and after changes. */
  async watch(take) {
    const { xr } = this.world.navigator ?? {};
    if (!xr) return;
    const look = async () => take(await xr.isSessionSupported(session).catch(() => false));
    xr.addEventListener?.('devicechange', look);
    await look();
  }

  /** Begins a session, from a tap, or ends it; rejected with the reason. */
  async toggle() {
    if (this.#session) {
      await this.#session.end();
      return;
    }
    const { navigator, XRWebGLLayer } = this.world;
    const begun = await navigator.xr.requestSession(session);
    try {
      const { gl } = this.picture;
      await gl.makeXRCompatible();
      this.#layer = new XRWebGLLayer(begun, gl, { antialias: false, depth: false, alpha: false });
      begun.updateRenderState({ baseLayer: this.#layer });
      this.#space = await begun.requestReferenceSpace('local');
    } catch (error) {
      await begun.end().catch(() => {});
      throw error;
    }
    this.#session = begun;
    this.frames = 0;
    begun.addEventListener('end', () => {
      this.#session = null;
      this.events.ended();
    });
    begun.addEventListener('select', () => this.events.pressed());
    this.events.begin();
    begun.requestAnimationFrame((_, frame) => this.#draw(frame));
  }

  #draw(frame) {
    if (frame.session !== this.#session) return;
    frame.session.requestAnimationFrame((_, next) => this.#draw(next));
    const pose = frame.getViewerPose(this.#space);
    // Without a pose the headset is not worn, or does not know where it is.
    if (!pose) return;
    const viewer = fromHeadset(pose.transform.orientation);
    this.events.sense(viewer);
    const { head, ...picture } = this.events.frame();
    this.picture.drawEyes(this.#layer.framebuffer, pose.views.map((view) => {
      const { x, y, width, height } = this.#layer.getViewport(view);
      return {
        // The eyes of some headsets look outwards.
        head: product(head, product(inverse(viewer), fromHeadset(view.transform.orientation))), area: [x, y, width, height],
        eye: view.eye === 'right' ? 1 : 0, ...opening(view.projectionMatrix),
      };
    }), picture);
    this.frames += 1;
  }
}
