import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHeadset, Headset, opening } from '../../js/view/headset.js';
import { rotated, rotation } from '../../js/view/sphere-geometry.js';

const near = (one, two) => one.forEach((value, index) => assert.ok(Math.abs(value - two[index]) < 1e-9, `${one} is not ${two}`));
/** Orientation of WebXR about its axes right, up and back, degrees. */
const about = (axis, degrees) => {
  const half = (degrees * Math.PI) / 360;
  return { x: 0, y: 0, z: 0, [axis]: Math.sin(half), w: Math.cos(half) };
};

test('an orientation of a headset has the axes of the engine', () => {
  // About up to the left; about right upwards; about back anticlockwise, which lifts the right ear.
  near(fromHeadset(about('y', 40)), rotation(40));
  near(fromHeadset(about('x', 25)), rotation(0, 25));
  near(fromHeadset(about('z', 15)), rotation(0, 0, -15));
  near(rotated(fromHeadset(about('y', 90)), [1, 0, 0]), [0, 1, 0]);
});

test('the projection of an eye tells how far it sees to each side', () => {
  // Tangents to the left, the right, upwards and downwards.
  const [left, right, up, down] = [-1.2, 0.8, 1.0, -1.1];
  const matrix = new Array(16).fill(0);
  [matrix[0], matrix[5]] = [2 / (right - left), 2 / (up - down)];
  [matrix[8], matrix[9]] = [(right + left) / (right - left), (up + down) / (up - down)];
  const { reach, centre } = opening(matrix);
  near([(1 - centre[0]) * reach[0], (-1 - centre[0]) * reach[0]], [right, left]);
  near([(1 - centre[1]) * reach[1], (-1 - centre[1]) * reach[1]], [up, down]);
});

/** A headset whose frames a test asks for. */
function rig({ fails = false } = {}) {
  const drawn = [];
  const events = [];
  const session = new EventTarget();
  Object.assign(session, {
    updateRenderState: ({ baseLayer }) => { session.layer = baseLayer; },
    requestReferenceSpace: async () => {
      if (fails) throw new Error('no space');
      return 'local';
    },
    requestAnimationFrame: (action) => { session.next = action; },
    end: async () => {
      session.hasEnded = true;
      session.dispatchEvent(new Event('end'));
    },
  });
  const world = {
    navigator: { xr: { isSessionSupported: async (mode) => mode === 'immersive-vr', requestSession: async () => session } },
    XRWebGLLayer: class {
      framebuffer = 'eyes';
      getViewport({ eye }) { return { x: eye === 'right' ? 100 : 0, y: 0, width: 100, height: 90 }; }
    },
  };
  const picture = { gl: { makeXRCompatible: async () => {} }, drawEyes: (...all) => drawn.push(all) };
  const headset = new Headset(picture, {
    begin: () => events.push('begin'), ended: () => events.push('ended'), pressed: () => events.push('pressed'),
    sense: (head) => events.push(head), frame: () => ({ head: rotation(30), yaw: 0, pitch: 0, roll: 0, layout: 'mono' }),
  }, world);
  const show = (views, orientation = about('y', 10)) => session.next(0, {
    session, getViewerPose: () => (views ? { transform: { orientation }, views } : null),
  });
  return { headset, session, drawn, events, show };
}

const projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0];

test('each eye is drawn from the head, and the pose is that of the head', async () => {
  const { headset, session, drawn, events, show } = rig();
  let isThere = null;
  await headset.watch((value) => { isThere = value; });
  assert.equal(isThere, true);
  await headset.toggle();
  assert.equal(headset.isOn, true);
  // The right eye looks 5 degrees to the right of the head.
  show([
    { eye: 'left', transform: { orientation: about('y', 10) }, projectionMatrix: projection },
    { eye: 'right', transform: { orientation: about('y', 5) }, projectionMatrix: projection },
  ]);
  near(events.at(-1), rotation(10));
  const [[framebuffer, [left, right]]] = drawn;
  assert.equal(framebuffer, 'eyes');
  near(left.head, rotation(30));
  near(right.head, rotation(25));
  assert.deepEqual([left.eye, right.eye, left.area, right.area], [0, 1, [0, 0, 100, 90], [100, 0, 100, 90]]);
  // A headset that is not worn has no pose.
  show(null);
  assert.equal(headset.frames, 1);
  session.dispatchEvent(new Event('select'));
  await headset.toggle();
  assert.deepEqual([events.slice(-2), headset.isOn], [['pressed', 'ended'], false]);
});

test('a session that cannot be used ends, and the reason is told', async () => {
  const { headset, session, events } = rig({ fails: true });
  await assert.rejects(headset.toggle(), /no space/);
  assert.equal(session.hasEnded, true);
  assert.deepEqual([headset.isOn, events], [false, []]);
});

test('a browser without WebXR has no headset', async () => {
  const headset = new Headset({}, {}, { navigator: {} });
  let calls = 0;
  await headset.watch(() => { calls += 1; });
  assert.equal(calls, 0);
});
