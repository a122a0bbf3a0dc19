import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linePath, plotWords } from '../../js/camera/links/plot.js';
import { arrowPath, listWords, places, receptions } from '../../js/camera/links/watch-diagram.js';

test('a line goes from the left to the current at the right, with gaps where nothing is known', () => {
  assert.equal(linePath([[0, 0], [30, 50], [45, NaN], [60, 100]], 60, 60, 100), 'M0.0 31.0L60.0 16.0M120.0 1.0');
});

test('a plot says its current value and its range', () => {
  const spec = { title: 'Rate', unit: 'kbit/s', decimals: 0 };
  assert.equal(plotWords(spec, [NaN, 100, 480, 300], 60), 'Rate: 300\u00a0kbit/s; 100\u00a0kbit/s to 480\u00a0kbit/s in the last 60 s');
  assert.equal(plotWords(spec, [5, 5], 60), 'Rate: 5\u00a0kbit/s');
  assert.equal(plotWords(spec, [NaN], 60), 'Rate: not known yet');
});

test('receptions are found from the receivers', () => {
  const peers = [{ peer: 1, senders: [] }, { peer: 2, senders: [1] }, { peer: 0, senders: [1, 2] }, { peer: 4, senders: [9] }];
  assert.deepEqual(receptions(peers).map(({ sender, receivers }) => [sender.peer, receivers.map(({ peer }) => peer)]),
    [[1, [2, 0]], [2, [0]]]);
  assert.equal(listWords(['A', 'B', 'C']), 'A, B and C');
});

test('arrows end before the peer', () => {
  const [one, two] = places(2);
  assert.ok(one.y < two.y && Math.abs(one.x - two.x) < 1e-9);
  assert.match(arrowPath({ x: 0, y: 0 }, { x: 100, y: 0 }), /^M12\.0 0\.0Q50\.0 18\.0 88\.0 0\.0L/);
});
