import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListenerHead, turnBy, yawOf } from '../../js/listen/listener-head.js';

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test('a hand turns the head, on top of the sensors', () => {
  const heads = [];
  const head = new ListenerHead((each) => heads.push(each));
  head.set(30);
  near(yawOf(heads.at(-1)), 30);
  head.sense(turnBy(20));
  near(head.yaw, 50);
  head.recenter();
  near(head.yaw, 0);
  head.sense(turnBy(65));
  near(head.yaw, 45);
  head.forgetSensors();
  near(head.yaw, 45);
});

test('nodding and tilting can be ignored', () => {
  const head = new ListenerHead(() => {});
  const nod = [Math.cos(0.2), 0, Math.sin(0.2), 0];
  head.sense(nod);
  near(head.head[2], Math.sin(0.2));
  head.isYawOnly = true;
  near(head.head[2], 0);
});

test('a hand tilts the head as well, up to a limit', () => {
  const head = new ListenerHead(() => {});
  head.set(30);
  head.look(15, 20);
  near(head.yaw, 45);
  const [w, x, y, z] = head.head;
  near(Math.asin(-2 * (w * y - z * x)), (20 * Math.PI) / 180);
  head.look(0, 300);
  near(head.yaw, 45);
  const [a, b, c, d] = head.head;
  near(Math.asin(-2 * (a * c - d * b)), (85 * Math.PI) / 180);
  head.recenter();
  near(Math.abs(head.head[0]), 1);
});
