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
