import assert from 'node:assert/strict';
import { test } from 'node:test';
import { between } from '../../js/telemetry/latency-histogram.js';
import { anglesOf, charts } from '../../js/telemetry/telemetry-charts.js';
import { TelemetryRecord, firstRow, nearestRow } from '../../js/telemetry/telemetry-record.js';

const record = () => new TelemetryRecord({ meters: ['left', 'right'], engine: ['load'] }, 30);

test('frames of the same time share a line of the CSV file', () => {
  const made = record();
  made.take('meters', 1, [-20, -Infinity]);
  made.take('engine', 1, [12.5]);
  made.take('meters', 1.05, [-21, -22]);
  assert.equal(made.csv(), 'time_s,left,right,load\r\n1.0000,-20.000,,12.500\r\n1.0500,-21.000,-22.000,\r\n');
  assert.equal(made.csv(1.01).split('\r\n').length, 3);
});

test('old rows and rows of an earlier engine are dropped', () => {
  const made = record();
  for (let second = 0; second < 100; second += 1) made.take('engine', second, [second]);
  const [first] = made.rows('engine')[0];
  assert.ok(first >= 59 && first <= 69, `${first}`);
  made.take('engine', 3, [1]);
  assert.deepEqual(made.rows('engine'), [[3, 1]]);
});

test('a copy does not change', () => {
  const made = record();
  made.take('engine', 1, [1]);
  const copy = made.copy();
  made.take('engine', 2, [2]);
  assert.deepEqual([copy.rows('engine').length, copy.last], [1, 1]);
  assert.equal(made.rows('engine').length, 2);
});

test('the row nearest to a time, and the first of a chart', () => {
  const rows = [[1], [2], [4]];
  assert.deepEqual([0, 1.4, 1.6, 3.5, 9].map((time) => nearestRow(rows, time)), [0, 0, 1, 2, 2]);
  assert.equal(nearestRow([], 1), -1);
  assert.deepEqual([0, 2, 3, 9].map((time) => firstRow(rows, time)), [0, 0, 1, 2]);
});

test('angles of a head: to the left, up, to the right', () => {
  const half = (degrees) => (degrees * Math.PI) / 360;
  const near = (given, wanted) => given.forEach((angle, index) => assert.ok(Math.abs(angle - wanted[index]) < 1e-9, `${given}`));
  near(anglesOf([Math.cos(half(30)), 0, 0, Math.sin(half(30))]), [30, 0, 0]);
  near(anglesOf([Math.cos(half(20)), 0, -Math.sin(half(20)), 0]), [0, 20, 0]);
  near(anglesOf([Math.cos(half(10)), Math.sin(half(10)), 0, 0]), [0, 0, 10]);
});

test('every chart reads as many numbers as it has lines', () => {
  const pair = { peak: [0.5, 0.25], rms: [0.1, 0.1] };
  const frames = {
    meters: { listeners: [pair], microphones: { peak: [0.1, 1], rms: [0, 0] } },
    engine: { load: 0.125, worst: 0.5 },
    latency: { motion_to_sound: [0, 0, 0, 0], listeners: [{ motion_to_sound: [1, 2, 3, 4] }] },
    poses: [{ quaternion: [1, 0, 0, 0], id: 1 }],
  };
  for (const chart of charts) assert.equal(chart.read(frames[chart.topic], 0).length, chart.series.length, chart.title);
  assert.deepEqual(charts[1].read(frames.engine, 0), [12.5, 50]);
  assert.deepEqual(charts[2].read(frames.latency, 0), [1, 2, 4]);
  const turned = [{ quaternion: [Math.cos(Math.PI / 9), 0, 0, Math.sin(Math.PI / 9)] }];
  assert.ok(Math.abs(charts[3].read(turned, 0, 40)[0]) < 1e-9, 'the head is not at 0 degrees after Recenter, as on the panel');
  assert.ok(charts[2].read(frames.latency, 1).every(Number.isNaN));
  assert.ok(Math.abs(charts[0].read(frames.meters, 0)[1] + 12.04) < 0.01);
});

test('cumulative counts become counts per bin', () => {
  assert.deepEqual(between({ cumulative: [1, 4, 4], count: 6 }), [1, 3, 0, 2]);
});
