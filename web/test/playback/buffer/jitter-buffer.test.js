import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JitterBuffer } from '../../../js/playback/buffer/jitter-buffer.js';
import { Sender, distortion, heard, largestStep, play, randomNumbers, rate, rms } from './network.js';

/** Largest slope of a sine of 440 Hz at half scale, with a margin for splices. */
const steepest = (0.5 * 2 * Math.PI * 440) / rate + 0.012;

test('output is silent until enough has arrived, then plays the packets', () => {
  const buffer = new JitterBuffer({ rate });
  const sender = new Sender();
  assert.equal(rms(heard(buffer, sender, 0.015)), 0);
  const left = [];
  play(buffer, sender, 1, {
    hear: (block, _, right) => {
      left.push(...block);
      assert.ok(block.every((value, frame) => Math.abs(value + right[frame]) < 1e-6), 'left and right were confused');
    },
  });
  assert.ok(Math.abs(rms(left.slice(24000)) - 0.5 / Math.SQRT2) < 0.002);
  assert.equal(buffer.underruns, 0);
  assert.ok(largestStep(left) < steepest);
  assert.ok(buffer.delay < 0.03, `${buffer.delay} s wait without jitter`);
});

test('a stall is concealed, then silent, counted, and followed without a click', () => {
  const buffer = new JitterBuffer({ rate });
  const samples = heard(buffer, new Sender(), 3, { delay: (time) => (time > 1 && time < 1.5 ? 1.5 - time : 0) });
  assert.equal(buffer.underruns, 1);
  assert.ok(largestStep(samples) < steepest, `a step of ${largestStep(samples)} would click`);
  assert.equal(rms(samples.slice(1.2 * rate, 1.45 * rate)), 0);
  assert.ok(rms(samples.slice(1.6 * rate)) > 0.3);
});

test('after a stall the delay shrinks to where it was, without a gap or a click', () => {
  const buffer = new JitterBuffer({ rate });
  const sender = new Sender();
  play(buffer, sender, 2, { delay: (time) => (time > 1 && time < 1.15 ? 1.15 - time : 0) });
  assert.ok(buffer.delay > 0.08, `only ${buffer.delay} s wait after a stall`);
  const made = buffer.madeUp;
  const samples = heard(buffer, sender, 60);
  assert.ok(buffer.delay < 0.04, `${buffer.delay} s still wait`);
  assert.equal(buffer.madeUp, made);
  assert.ok(largestStep(samples) < steepest);
  assert.ok(buffer.splices > 0);
});

test('sound that has piled up while the output stood still is left out', () => {
  const buffer = new JitterBuffer({ rate });
  const sender = new Sender();
  play(buffer, sender, 1);
  for (let packet = 0; packet < 500; packet += 1) buffer.push(...sender.packet());
  assert.ok(buffer.overruns >= 1);
  const samples = heard(buffer, sender, 30);
  assert.ok(buffer.delay < 0.1, `${buffer.delay} s still wait`);
  assert.ok(rms(samples.slice(-rate)) > 0.3);
});

for (const [ppm, minutes] of [[200, 30], [-200, 10]]) {
  const skip = process.env.CHECK ? 'takes 20 seconds; make test runs it' : false;
  test(`${minutes} minutes with clocks ${ppm} ppm apart: no underrun, no overrun, distortion below -80 dB`, { skip }, () => {
    const buffer = new JitterBuffer({ rate });
    const parts = new Map([60, 300, 60 * minutes - 10].map((second) => [second, []]));
    let [least, most] = [1, 0];
    play(buffer, new Sender({ frequency: 1000 }), 60 * minutes, {
      speed: 1 + ppm * 1e-6,
      hear: (block, now) => {
        parts.get(Math.floor(now))?.push(...block);
        if (now > 10) [least, most] = [Math.min(least, buffer.delay), Math.max(most, buffer.delay)];
      },
    });
    assert.deepEqual([buffer.underruns, buffer.overruns, buffer.madeUp, buffer.splices], [0, 0, 0, 0]);
    assert.ok(least > 0.002 && most < 0.04, `the delay went from ${least} to ${most} s`);
    assert.ok(Math.abs(buffer.driftPpm - ppm) < 2, `${buffer.driftPpm} ppm`);
    for (const [second, samples] of parts) {
      const level = distortion(samples, 1000);
      assert.ok(level < -80, `${level} dB at ${second} s`);
    }
  });
}

test('2 % loss in bursts with 20 ms of jitter: under 2.5 % is made up, under 80 ms wait', () => {
  const random = randomNumbers(7);
  let burst = 0;
  let [sent, lost] = [0, 0];
  const delay = () => {
    sent += 1;
    if (burst > 0) burst -= 1;
    else if (random() < 0.02 / 3) burst = 3;
    if (burst > 0) {
      lost += 1;
      return null;
    }
    return 0.05 + 0.02 * (2 * random() - 1);
  };
  const buffer = new JitterBuffer({ rate });
  const sender = new Sender();
  let most = 0;
  const samples = [];
  play(buffer, sender, 300, {
    delay,
    hear: (block, now) => {
      if (now > 5) most = Math.max(most, buffer.delay);
      if (now > 290) samples.push(...block);
    },
  });
  assert.ok(lost / sent > 0.017 && lost / sent < 0.023, `${lost / sent} were lost`);
  assert.ok(buffer.madeUp / buffer.played < 0.025, `${(100 * buffer.madeUp) / buffer.played} % were made up`);
  assert.ok(most < 0.08, `up to ${most} s waited`);
  assert.ok(largestStep(samples) < 2 * steepest);
  assert.ok(Math.abs(buffer.lost - lost) < 0.1 * lost, `${buffer.lost} counted, ${lost} lost`);
});

test('packets that are repeated, reordered, from another stream or no sound are counted, and the output stays under full scale', () => {
  const random = randomNumbers(3);
  const buffer = new JitterBuffer({ rate });
  const sender = new Sender();
  const other = new Sender({ start: 90_000_000, frequency: 3000, level: 1 });
  const wrong = [
    [NaN, new Float32Array(480), new Float32Array(480)], [-5, new Float32Array(480), new Float32Array(480)],
    [sender.start, new Float32Array(0), new Float32Array(0)], [sender.start, new Float32Array(480), new Float32Array(3)],
    [sender.start, new Float32Array(1e6), new Float32Array(1e6)], [2 ** 60, new Float32Array(480), new Float32Array(480)],
    [sender.start, new Float32Array(480).fill(NaN), new Float32Array(480).fill(Infinity)],
  ];
  let held = null;
  let most = 0;
  const [left, right] = [new Float32Array(128), new Float32Array(128)];
  for (let block = 0; block < 7500; block += 1) {
    if (block % 15 < 4) {
      const packet = sender.packet();
      const choice = random();
      if (choice < 0.1) {
        held = packet;
      } else {
        buffer.push(...packet);
        if (choice < 0.2) buffer.push(...packet);
        if (choice > 0.9) buffer.push(...wrong[Math.floor(random() * wrong.length)]);
        if (choice > 0.8 && choice < 0.85) buffer.push(...other.packet());
        if (held && choice > 0.5) {
          buffer.push(...held);
          held = null;
        }
      }
    }
    buffer.pull(left, right);
    for (const value of [...left, ...right]) most = Math.max(most, Number.isFinite(value) ? Math.abs(value) : Infinity);
  }
  assert.ok(most <= 1, `the output reached ${most}`);
  assert.ok(buffer.refused > 100 && buffer.late >= 0);
  assert.ok(buffer.isPlaying);
});

test('a stream that begins anew at another sample count is followed', () => {
  const buffer = new JitterBuffer({ rate });
  play(buffer, new Sender(), 1);
  const samples = heard(buffer, new Sender({ start: 480 }), 1);
  assert.ok(rms(samples.slice(-24000)) > 0.3);
});

test('another output rate keeps the pitch', () => {
  const buffer = new JitterBuffer({ rate, outputRate: 44100 });
  const samples = heard(buffer, new Sender(), 2).slice(-44100);
  const crossings = samples.filter((value, index) => index > 0 && value >= 0 && samples[index - 1] < 0).length;
  assert.ok(Math.abs(crossings - 440) <= 2, `${crossings} Hz`);
});

test('buffers of a group play the same sample at the same time, whatever their networks', () => {
  const buffers = [0.01, 0.06].map((delay, index) => {
    const buffer = new JitterBuffer({ rate });
    const random = randomNumbers(index + 1);
    const sender = new Sender();
    // Sample 1,000,000 is sent at time 0; the group plays 150 ms later.
    buffer.wantedOrigin = 0.15 - 1_000_000 / rate;
    play(buffer, sender, 30, { speed: 1 + index * 1e-4, delay: () => delay + 0.01 * random() });
    return buffer;
  });
  for (const buffer of buffers) {
    assert.ok(Math.abs(buffer.excess) < 0.002, `${1000 * buffer.excess} ms off`);
    assert.equal(buffer.underruns, 0);
  }
});

for (const delay of [0.6, 1]) {
  test(`a group's delay of ${delay} s loses nothing`, () => {
    const buffers = [0.01, 0.06].map((transit, index) => {
      const buffer = new JitterBuffer({ rate });
      const random = randomNumbers(index + 5);
      buffer.wantedOrigin = delay - 1_000_000 / rate;
      play(buffer, new Sender(), 10, {
        delay: () => transit + 0.01 * random(),
        hear: (block, now) => assert.ok(now > delay - 0.01 || rms(block) === 0, `sound is heard at ${now} s, before it is due`),
      });
      assert.deepEqual([buffer.overruns, buffer.underruns, buffer.lost, buffer.late, buffer.refused, buffer.madeUp], [0, 0, 0, 0, 0, 0]);
      return buffer;
    });
    for (const buffer of buffers) assert.ok(Math.abs(buffer.excess) < 0.002, `${1000 * buffer.excess} ms off`);
    assert.ok(Math.abs(buffers[0].origin - buffers[1].origin) < 0.002);
  });
}

test('a buffer that nobody hears is placed beside another one at once', () => {
  const [one, other] = [new JitterBuffer({ rate }), new JitterBuffer({ rate })];
  const [first, second] = [new Sender(), new Sender()];
  play(one, first, 3, { delay: (time) => (time > 1 && time < 1.06 ? 1.06 - time : 0) });
  play(other, second, 3);
  assert.ok(one.origin - other.origin > 0.02, `${one.origin - other.origin}`);
  other.place(one.origin);
  play(other, second, 0.2);
  play(one, first, 0.2);
  assert.ok(Math.abs(one.origin - other.origin) < 0.001, `${one.origin - other.origin}`);
});
