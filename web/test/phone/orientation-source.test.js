import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headFrom } from '../../js/phone/device-orientation.js';
import { OrientationSource } from '../../js/phone/orientation-source.js';

/** A window with a sensor, whose readings and errors the test makes; without one when `hasSensor` is false. */
function world(hasSensor = true) {
  const page = new EventTarget();
  const made = { page, sensors: [], timers: [] };
  page.setTimeout = (action) => made.timers.push(action);
  page.clearTimeout = () => { made.timers = []; };
  if (hasSensor) {
    page.RelativeOrientationSensor = class extends EventTarget {
      constructor(wishes) {
        super();
        Object.assign(this, { wishes, isRunning: false, quaternion: [0, 0, 0, 1] });
        made.sensors.push(this);
      }

      start() {
        this.isRunning = true;
      }

      stop() {
        this.isRunning = false;
      }
    };
  }
  const found = [];
  const source = new OrientationSource(page, (turn) => found.push(turn));
  const event = (alpha) => page.dispatchEvent(Object.assign(new Event('deviceorientation'), { alpha, beta: 0, gamma: 0 }));
  return { made, source, found, event };
}

test('the sensor is used where there is one, and the events of the page are not', () => {
  const { made, source, found, event } = world();
  source.start();
  const [sensor] = made.sensors;
  sensor.quaternion = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
  sensor.dispatchEvent(new Event('reading'));
  event(10);
  assert.deepEqual(found, [{ quaternion: sensor.quaternion }]);
  assert.deepEqual([source.isSensor, made.timers.length, sensor.wishes.referenceFrame], [true, 0, 'device']);
  source.stop();
  assert.equal(sensor.isRunning, false);
});

test('without a sensor, with one that fails, and with one that is silent the events count', () => {
  for (const lose of [null, ({ sensors }) => sensors[0].dispatchEvent(new Event('error')), ({ timers }) => timers[0]()]) {
    const { made, source, found, event } = world(lose !== null);
    source.start();
    lose?.(made);
    event(30);
    assert.deepEqual([found.map(({ alpha }) => alpha), source.isSensor], [[30], false]);
    source.stop();
    event(40);
    assert.equal(found.length, 1);
  }
});

test('a quaternion of the sensor and the angles of an event are the same head', () => {
  const half = (degrees) => (degrees * Math.PI) / 360;
  const quaternion = [0, 0, Math.sin(half(40)), Math.cos(half(40))];
  for (const [angle, isUpright] of [[0, false], [90, false], [0, true], [270, true]]) {
    const one = headFrom({ quaternion }, angle, isUpright);
    const two = headFrom({ alpha: 40, beta: 0, gamma: 0 }, angle, isUpright);
    one.forEach((value, i) => assert.ok(Math.abs(value - two[i]) < 1e-12));
  }
  assert.equal(headFrom({ quaternion: [0, 0, NaN, 1] }), null);
});
