import assert from 'node:assert/strict';
import { test } from 'node:test';
import { genericContainers, genericNodes } from '../../js/shared/controls/control-kind.js';
import { metresInWords, stepPlace } from '../../js/objects/head-handle.js';
import { MapGeometry, spreadLabels } from '../../js/objects/map-geometry.js';
import { elevationInShort, objectsOf, placeInWords } from '../../js/objects/objects.js';
import '../../js/panel/cards.js';
import { readTree } from '../../js/shared/tree/tree.js';
import { Values } from '../../js/shared/tree/values.js';
import { freshTree } from '../fixture.js';

const near = (actual, expected, tolerance = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
const elevations = { minimum: -90, maximum: 90 };
const metres = (minimum, maximum, tags = ['logarithmic']) => new MapGeometry({ range: { minimum, maximum }, tags });
const geometry = metres(0.1, 100);

test('an object is found by its roles, and each of its nodes has a display', () => {
  const root = readTree(freshTree());
  const [object, ...others] = objectsOf(root);
  assert.equal(others.length, 0);
  for (const part of ['source', 'name', 'azimuth', 'elevation', 'distance', 'gain', 'mute', 'state']) {
    assert.ok(object[part], `${part} was not found`);
  }
  assert.deepEqual(genericNodes(object.container), []);
  // Nodes of objects without a display keep their generic controls.
  assert.ok(genericContainers(root).some((container) => container.isWithin(object.container.parent)));
  const values = new Values();
  values.load(root);
  assert.equal(object.title(values), 'Object 1');
  values.set(object.name.path, ['Kick']);
  assert.equal(object.title(values), 'Object 1: Kick');
});

test('a tree without objects has none', () => {
  const json = freshTree();
  delete json.CONTENTS.object;
  assert.deepEqual(objectsOf(readTree(json)), []);
});

test('azimuths and distances have their points on the map', () => {
  const left = geometry.place({ azimuth: 90, distance: 1 });
  assert.ok(left.x < 0);
  near(left.y, 0);
  const back = geometry.place({ azimuth: 180, distance: 1 });
  assert.ok(back.y > 0);
  near(back.x, 0);
  assert.ok(geometry.radius(0.1) > 0.1 && geometry.radius(100) < 1);
  // Equal ratios are equal distances on the map: from 1 to 10 is as far as from 10 to 100.
  near(geometry.radius(100) - geometry.radius(10), geometry.radius(10) - geometry.radius(1), 1e-9);
  // A linear range is drawn in even steps.
  const linear = metres(0, 10, []);
  near(linear.radius(10) - linear.radius(5), linear.radius(5) - linear.radius(0));
});

test('a drawn point is converted back to its position', () => {
  for (const distance of [0.1, 0.25, 1, 3.3, 12, 100]) {
    for (let azimuth = -175; azimuth <= 180; azimuth += 15) {
      const found = geometry.at(geometry.place({ azimuth, distance }), { azimuth: 7 });
      near(found.azimuth, azimuth, 1e-6);
      near(found.distance, distance, distance * 0.01);
    }
  }
});

test('points at the centre or outside the map give valid positions', () => {
  assert.deepEqual(geometry.at({ x: 0.001, y: 0 }, { azimuth: 40 }), { azimuth: 40, distance: 0.1 });
  const outside = geometry.at({ x: -3, y: 0 }, { azimuth: 0 });
  assert.deepEqual(outside, { azimuth: 90, distance: 100 });
});

test('keys change azimuth, distance and elevation within their ranges', () => {
  const place = { azimuth: 178, elevation: 88, distance: 1 };
  const step = (key, isFine = false, from = place) => geometry.step(from, key, isFine, elevations);
  assert.equal(step('ArrowLeft').azimuth, -177);
  assert.equal(step('ArrowRight').azimuth, 173);
  assert.equal(step('ArrowRight', true).azimuth, 177);
  assert.equal(step('Home').azimuth, 0);
  assert.equal(step('PageUp').elevation, 90);
  assert.equal(step('PageDown').elevation, 83);
  assert.equal(step('ArrowUp').distance, 1.12);
  assert.equal(step('ArrowDown').distance, 0.891);
  assert.equal(step('ArrowUp', true).distance, 1.02);
  assert.equal(step('ArrowUp', false, { ...place, distance: 100 }).distance, 100);
  assert.equal(step('ArrowDown', false, { ...place, distance: 0.1 }).distance, 0.1);
  assert.equal(step('x'), null);
  // Sixty steps lead from the nearest to the farthest distance, and back.
  let { distance } = { distance: 0.1 };
  for (let count = 0; count < 60; count += 1) distance = step('ArrowUp', false, { ...place, distance }).distance;
  near(distance, 100, 5);
});

test('circles are at round distances', () => {
  assert.deepEqual(geometry.circles, [0.3, 1, 3, 10, 30, 100]);
  assert.deepEqual(metres(0.5, 8).circles, [1, 3, 8]);
  assert.deepEqual(metres(0, 2, []).circles.at(-1), 2);
});

test('labels keep their distance; a label with room is on its point', () => {
  const eight = Array.from({ length: 8 }, () => ({ x: 0, y: -0.5 }));
  const points = [...eight, { x: 0.05, y: -0.5 }, { x: 0.9, y: 0.3 }];
  const before = structuredClone(points);
  const labels = spreadLabels(points, 0.1);
  assert.deepEqual(points, before);
  assert.deepEqual(labels.at(-1), points.at(-1));
  labels.forEach((one, index) => labels.slice(index + 1).forEach((other) =>
    assert.ok(Math.hypot(one.x - other.x, one.y - other.y) > 0.0999, `${JSON.stringify([one, other])} are too near`)));
  const farthest = Math.max(...labels.slice(0, 9).map(({ x, y }) => Math.hypot(x, y + 0.5)));
  assert.ok(farthest < 0.2, `a label is ${farthest} from its point`);
  assert.deepEqual(spreadLabels([{ x: 0, y: 0 }, { x: 0.2, y: 0 }], 0.1), [{ x: 0, y: 0 }, { x: 0.2, y: 0 }]);
});

test('positions in words and as short text', () => {
  assert.equal(placeInWords({ azimuth: 30, elevation: 0, distance: 2.5 }, 'distance.m'), '30 degrees to the left, 2.5\u00a0m');
  assert.equal(placeInWords({ azimuth: -1, elevation: -20, distance: 1 }, 'distance.m'), '1 degree to the right, 1\u00a0m, 20° down');
  assert.equal(elevationInShort(20.4), '↑20°');
  assert.equal(elevationInShort(-45), '↓45°');
  assert.equal(elevationInShort(0.2), '');
});

test('places of heads have their points on the map, and points their places', () => {
  for (const place of [[0, 0], [2, 0], [0, -3], [-1.5, 0.7], [0.04, 0.03]]) {
    const found = geometry.metres(geometry.spot(place));
    place.forEach((number, axis) => near(found[axis], number, 0.006 + Math.abs(number) * 0.01));
  }
  near(geometry.spot([0, 0]).x, 0);
  // The front is at the top, and left is on the left.
  assert.ok(geometry.spot([1, 0]).y < -0.1 && geometry.spot([0, 1]).x < -0.1);
  assert.deepEqual(geometry.metres({ x: 0.001, y: 0 }), [0, 0]);
});

test('keys move a head by metres', () => {
  assert.deepEqual(stepPlace([1, 0, 0], 'ArrowUp', false), [1.1, 0, 0]);
  assert.deepEqual(stepPlace([1, 0, 0], 'ArrowRight', true), [1, -0.02, 0]);
  assert.deepEqual(stepPlace([1, 0, 0.5], 'PageDown', false), [1, 0, 0.4]);
  assert.deepEqual(stepPlace([1, 2, 3], 'Home', false), [0, 0, 0]);
  assert.equal(stepPlace([1, 2, 3], 'a', false), null);
  assert.equal(metresInWords([1.5, -0.25, 0]), '1.5\u00a0m to the front, 0.25\u00a0m to the right');
  assert.equal(metresInWords([0, 0, 0]), 'at the origin');
});
