import { card, controls } from '../shared/controls/card.js';
import { element, setText } from '../shared/drawing/element.js';
import { History, roundAbove } from '../shared/numbers/history.js';
import { palette } from '../shared/drawing/palette.js';
import { Canvas } from '../shared/drawing/canvas.js';
import { roles } from '../shared/tree/roles.js';

const names = ['p50', 'p95', 'p99', 'max'];
const explanations = ['50 % of all poses take at most this long', '95 % of all poses take at most this long',
  '99 % of all poses take at most this long', 'The slowest pose took this long'];

/** Motion-to-sound latency: quantiles as numbers and as a bar, and the last minute of p50 and p99. */
export default { topic: 'head', needs: [roles.latency], owns: 'container', make: latencyCard };

function latencyCard(page, [node]) {
  const history = new History(60);
  const outputs = names.map(() => element('span', { class: 'quantile-number' }, '–'));
  const quantile = (name, index) => element('div', { class: 'quantile', title: explanations[index] },
    element('dt', {}, name),
    element('dd', {}, outputs[index], index === 0 ? element('span', { class: 'unit' }, ' ms') : null));
  const quantiles = element('dl', { class: 'quantiles' }, names.map(quantile));
  const parts = ['half', 'most', 'nearly'].map((name) => element('div', { class: `spread-${name}` }));
  const slowest = element('div', { class: 'spread-slowest' });
  const axis = element('div', { class: 'spread-axis', 'aria-hidden': 'true' },
    element('span', {}, '0'), element('span'));
  const canvas = element('canvas', {
    class: 'sparkline', role: 'img', 'aria-label': 'p50 and p99 over the last minute',
  });
  const picture = new Canvas(canvas, (context, width, height) => drawHistory(context, width, height, history));

  const none = element('p', { class: 'help' }, 'No poses yet. Drag the ring, or attach a tracker on the page Trackers.');
  const measured = element('div', { hidden: true }, quantiles,
    element('div', { class: 'spread', 'aria-hidden': 'true' }, parts, slowest), axis,
    canvas, element('p', { class: 'sparkline-words' }, element('span', {}, '1 min ago'),
      element('span', { class: 'key-p99' }, 'p99'), element('span', { class: 'key-p50' }, 'p50'),
      element('span', {}, 'now')));

  const show = (values) => {
    const isPresent = values.some((value) => value > 0);
    const isMeasured = isPresent || history.points.length > 0;
    // The line stays, so that nothing moves when poses stop or return.
    if (isMeasured) setText(none, isPresent ? 'Poses of the last 5 s.' : 'No poses in the last 5 s.');
    measured.hidden = !isMeasured;
    const text = (value) => (isPresent ? value.toFixed(value < 100 ? 1 : 0) : '–');
    outputs.forEach((output, index) => setText(output, text(values[index])));
    const scale = roundAbove(Math.max(...values, ...history.points.map(([, past]) => past[2]), 1));
    parts.forEach((part, index) => {
      part.style.left = `${index === 0 ? 0 : (values[index - 1] / scale) * 100}%`;
      part.style.width = `${((values[index] - (values[index - 1] ?? 0)) / scale) * 100}%`;
    });
    slowest.style.left = `${(values[3] / scale) * 100}%`;
    slowest.hidden = !isPresent;
    setText(axis.lastChild, `${scale} ms`);
  };
  const keep = () => {
    const values = page.values.of(node);
    if (values.some((value) => value > 0)) history.take(performance.now() / 1000, [values[0], values[2], values[3]]);
    picture.request();
  };
  page.watch(node, show);
  keep();
  const timer = setInterval(keep, 500);
  page.onEnd(() => {
    clearInterval(timer);
    picture.end();
  });
  return card(node.title, node.help, none, measured, controls(page, node.parent));
}

function drawHistory(context, width, height, history) {
  const now = performance.now() / 1000;
  const points = history.since(now);
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, height - 0.5);
  context.lineTo(width, height - 0.5);
  context.stroke();
  if (points.length < 2) return;
  const top = roundAbove(Math.max(...points.map(([, values]) => values[1])));
  context.font = `400 11px ${palette.font}`;
  context.textBaseline = 'top';
  context.fillStyle = palette.quiet;
  context.fillText(`${top} ms`, 0, 0);
  const x = (time) => width * (1 - (now - time) / history.length);
  const y = (value) => height - 2 - (height - 5) * (value / top);
  [[1, palette.quiet, [2, 3]], [0, palette.ink, []]].forEach(([row, colour, dashes]) => {
    context.strokeStyle = colour;
    context.lineWidth = 1.75;
    context.setLineDash(dashes);
    context.beginPath();
    points.forEach(([time, values], index) => context[index === 0 ? 'moveTo' : 'lineTo'](x(time), y(values[row])));
    context.stroke();
  });
  context.setLineDash([]);
}
