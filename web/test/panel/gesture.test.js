import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Gesture } from '../../js/panel/gesture.js';

/** A window whose events and timers the test fires. */
class FakeWindow {
  constructor() {
    this.listeners = new Map();
    this.timers = new Map();
    this.next = 1;
  }

  addEventListener(kind, action) {
    this.listeners.set(kind, action);
  }

  setTimeout(action) {
    this.timers.set(this.next, action);
    return this.next++;
  }

  clearTimeout(timer) {
    this.timers.delete(timer);
  }

  fire(kind, pointerId = 1) {
    this.listeners.get(kind)({ pointerId, target: this });
  }

  pass() {
    const due = [...this.timers.values()];
    this.timers.clear();
    due.forEach((action) => action());
  }
}

function made() {
  const world = new FakeWindow();
  const sent = [];
  return { world, sent, gesture: new Gesture((isBegin) => sent.push(isBegin), world) };
}

test('a drag is one gesture, with the values that come just after it', () => {
  const { world, sent, gesture } = made();
  world.fire('pointerdown');
  assert.deepEqual(sent, []);
  gesture.begin();
  gesture.begin();
  assert.deepEqual(sent, [true]);
  world.fire('pointerup');
  gesture.begin();
  assert.deepEqual(sent, [true]);
  world.pass();
  assert.deepEqual(sent, [true, false]);
  gesture.begin();
  assert.deepEqual(sent, [true, false], 'a value without a pointer, as from a key');
});

test('a click and a touch that changes nothing are no gestures', () => {
  const { world, sent, gesture } = made();
  world.fire('pointerdown');
  world.fire('pointerup');
  gesture.begin();
  world.pass();
  assert.deepEqual(sent, []);
});

test('the next drag ends the one before at once', () => {
  const { world, sent, gesture } = made();
  for (let turn = 0; turn < 2; turn += 1) {
    world.fire('pointerdown');
    gesture.begin();
    world.fire('pointercancel');
  }
  assert.deepEqual(sent, [true, false, true]);
  world.pass();
  assert.deepEqual(sent, [true, false, true, false]);
});

test('two fingers are one gesture, which ends with the last', () => {
  const { world, sent, gesture } = made();
  world.fire('pointerdown', 1);
  gesture.begin();
  world.fire('pointerdown', 2);
  gesture.begin();
  world.fire('pointerup', 1);
  world.pass();
  assert.deepEqual(sent, [true]);
  world.fire('pointerup', 2);
  world.pass();
  assert.deepEqual(sent, [true, false]);
});

test('a pointer that is lifted elsewhere, and a connection that is lost, end it', () => {
  const { world, sent, gesture } = made();
  world.fire('pointerdown');
  gesture.begin();
  world.fire('blur');
  world.pass();
  assert.deepEqual(sent, [true, false]);
  world.fire('pointerdown');
  gesture.begin();
  gesture.forget();
  world.fire('pointerup');
  world.pass();
  assert.deepEqual(sent, [true, false, true], 'the engine knows it by the end of the connection');
});
