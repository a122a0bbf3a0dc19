import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JitterBuffer, calmAfter, largestCorrection } from '../../js/playback/jitter-buffer.js';

const rate = 48000;
const packetFrames = 480;
const quantum = 128;

/** A sine of 440 Hz in consecutive packets. */
class Sender {
  constructor() {
    this.frame = 0;
    this.number = 0;
  }

  packet() {
    const samples = new Int16Array(packetFrames * 2);
    for (let index = 0; index < packetFrames; index += 1) {
      const value = Math.round(16384 * Math.sin((2 * Math.PI * 440 * this.frame) / rate));
      samples[index * 2] = value;
      samples[index * 2 + 1] = -value;
      this.frame += 1;
    }
    return [this.number++, samples];
  }
}

/** Sends and plays for a number of seconds; the sender may be faster, or pause. Returns the played samples. */
function play(buffer, sender, seconds, { speed = 1, sends = () => true } = {}) {
  const left = [];
  const right = [];
  let due = 0;
  for (let played = 0; played < seconds * rate; played += quantum) {
    for (; due <= played * speed; due += packetFrames) if (sends(played / rate)) buffer.push(...sender.packet());
    const one = [new Float32Array(quantum), new Float32Array(quantum)];
    buffer.pull(...one);
    left.push(...one[0]);
    right.push(...one[1]);
  }
  return { left, right };
}

const largestStep = (samples) =>
  samples.reduce((most, value, index) => (index ? Math.max(most, Math.abs(value - samples[index - 1])) : 0), 0);
const rms = (samples) => Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
/** Largest slope of a sine of 440 Hz at half scale, with a margin. */
const steepest = (0.5 * 2 * Math.PI * 440) / rate + 0.006;

test('output is silent until the target is reached, then plays the packets', () => {
  const buffer = new JitterBuffer({ rate });
  const sender = new Sender();
  const early = play(buffer, sender, 0.04);
  assert.equal(rms(early.left), 0);
  const { left, right } = play(buffer, sender, 1);
  assert.ok(Math.abs(rms(left.slice(24000)) - 0.5 / Math.SQRT2) < 0.005);
  assert.ok(left.every((value, index) => Math.abs(value + right[index]) < 1e-6), 'left and right were confused');
  assert.equal(buffer.underruns, 0);
  assert.ok(largestStep(left) < steepest);
});

test('an underrun fades, is counted, and raises the target up to 200 ms', () => {
  const buffer = new JitterBuffer({ rate });
  const sender = new Sender();
  const { left } = play(buffer, sender, 2, { sends: (time) => time < 0.5 || time > 1 });
  assert.equal(buffer.underruns, 1);
  assert.equal(buffer.target, 0.09 * rate);
  assert.ok(largestStep(left) < steepest, `a step of ${largestStep(left)} would click`);
  assert.equal(rms(left.slice(0.8 * rate, 0.9 * rate)), 0);
  assert.ok(rms(left.slice(1.5 * rate)) > 0.3);
  for (let again = 0; again < 8; again += 1) {
    play(buffer, sender, 0.5);
    play(buffer, sender, 0.5, { sends: () => false });
  }
  assert.equal(buffer.target, 0.2 * rate);
});

test('after stalls the delay shrinks to where it began, without a gap', () => {
  const buffer = new JitterBuffer({ rate });
  const sender = new Sender();
  for (let stall = 0; stall < 2; stall += 1) play(buffer, sender, 2, { sends: (time) => time < 0.5 || time > 1 });
  assert.equal(buffer.target, 0.135 * rate);
  const { left } = play(buffer, sender, 180);
  assert.equal(buffer.underruns, 2);
  assert.equal(buffer.target, 0.06 * rate);
  assert.ok(buffer.fill < 0.075 * rate, `${buffer.fill / rate} s are still buffered`);
  assert.ok(largestStep(left.slice(10 * rate)) < steepest);
});

test('each further underrun makes the target wait longer before it falls', () => {
  const buffer = new JitterBuffer({ rate });
  const sender = new Sender();
  for (let stall = 0; stall < 3; stall += 1) play(buffer, sender, 2, { sends: (time) => time < 0.5 || time > 1 });
  const raised = buffer.target;
  play(buffer, sender, 2 * calmAfter);
  assert.equal(buffer.target, raised);
});

test('an overrun jumps back to the target without a click', () => {
  const buffer = new JitterBuffer({ rate });
  const sender = new Sender();
  play(buffer, sender, 0.5);
  for (let index = 0; index < 30; index += 1) buffer.push(...sender.packet());
  assert.ok(buffer.overruns >= 1);
  assert.ok(buffer.fill <= 0.2 * rate);
  const { left } = play(buffer, sender, 0.5);
  assert.ok(largestStep(left) < steepest + 1 / 128, `a step of ${largestStep(left)} would click`);
  assert.equal(buffer.underruns, 0);
});

for (const speed of [1.001, 0.999]) {
  test(`it follows a sender that is ${speed > 1 ? 'faster' : 'slower'} by 0.1 %, for two minutes`, () => {
    const buffer = new JitterBuffer({ rate });
    const sender = new Sender();
    play(buffer, sender, 120, { speed });
    assert.equal(buffer.underruns, 0);
    assert.equal(buffer.overruns, 0);
    assert.ok(largestCorrection <= 0.002);
  });
}

test('a gap in the numbers is counted as dropped packets', () => {
  const buffer = new JitterBuffer({ rate });
  const sender = new Sender();
  buffer.push(...sender.packet());
  sender.number += 3;
  buffer.push(...sender.packet());
  assert.equal(buffer.dropped, 3);
  assert.equal(buffer.packets, 2);
});

test('another output rate keeps the pitch', () => {
  const buffer = new JitterBuffer({ rate, outputRate: 44100 });
  const sender = new Sender();
  const left = [];
  let sent = 0;
  for (let frame = 0; frame < 2 * 44100; frame += quantum) {
    for (; sent <= (frame * rate) / 44100; sent += packetFrames) buffer.push(...sender.packet());
    const block = new Float32Array(quantum);
    buffer.pull(block, new Float32Array(quantum));
    left.push(...block);
  }
  const last = left.slice(-44100);
  const crossings = last.filter((value, index) => index > 0 && value >= 0 && last[index - 1] < 0).length;
  assert.ok(Math.abs(crossings - 440) <= 2, `${crossings} Hz`);
});
