import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ABXTest } from '../../js/head/abx-test.js';

/** A world with given random numbers, whose clock advances by a second at each reading. */
function world(draws) {
  let seconds = 0;
  return { random: () => draws.shift(), now: () => (seconds += 1) * 1000 };
}

test('X is one of both choices, drawn for each trial', () => {
  const comparison = new ABXTest('ring', 'linear', world([0.1, 0.9, 0.1]));
  assert.equal(comparison.switchTo('X'), 'ring');
  assert.equal(comparison.switchTo('A'), 'ring');
  assert.equal(comparison.switchTo('B'), 'linear');
  comparison.answer('A');
  assert.equal(comparison.switchTo('X'), 'linear');
  comparison.answer('A');
  assert.deepEqual(comparison.answers.map((answer) => answer.right), [true, false]);
  assert.equal(comparison.answers[0].switches, 3);
  assert.equal(comparison.right, 1);
});

test('both choices are drawn at random', () => {
  const drawn = new Set(Array.from({ length: 64 }, () => new ABXTest('one', 'two').x));
  assert.deepEqual([...drawn].sort(), ['one', 'two']);
});

test('the probability of guessing is the tail of the binomial distribution', () => {
  const comparison = new ABXTest('one', 'two', world(Array(20).fill(0)));
  for (let trial = 0; trial < 10; trial += 1) comparison.answer(trial < 8 ? 'A' : 'B');
  assert.equal(comparison.right, 8);
  assert.ok(Math.abs(comparison.guessing - 56 / 1024) < 1e-12);  // (45 + 10 + 1) / 2^10
  assert.equal(new ABXTest('one', 'two').guessing, 1);
});

test('answers become rows of a CSV file', () => {
  const comparison = new ABXTest('a,"b"', 'two', world([0, 0]));
  comparison.switchTo('X');
  comparison.answer('B');
  const [head, row] = comparison.csv.split('\n');
  assert.equal(head, 'trial,time,a,b,x,answer,right,switches,seconds');
  assert.equal(row, '1,1970-01-01T00:00:02.000Z,"a,""b""",two,"a,""b""",two,false,1,1');
});
