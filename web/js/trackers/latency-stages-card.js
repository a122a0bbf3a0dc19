import { card } from '../shared/controls/card.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { boundOf, visible } from '../shared/numbers/histogram.js';
import { palette } from '../shared/drawing/palette.js';
import { Canvas } from '../shared/drawing/canvas.js';
import { counted, readoutText, withUnit } from '../shared/numbers/units.js';
import { roles } from '../shared/tree/roles.js';

/** Stages in the order in which a pose passes them; together they make the total. */
const stages = [roles.latencyTransmission, roles.latencyWaiting, roles.latencyRendering, roles.latencyOutput];

/** Milliseconds as a text of about three figures. */
const milliseconds = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(1));

/** Latency by stage of a listener's poses: one bar, a table, and the distribution of the total. */
export default {
  topic: 'trackers',
  needs: [roles.latencyTotal],
  shows: [roles.latencyTotal, ...stages, roles.latencyInterval, roles.latencyHistogram, roles.latencyCount],
  make: latencyStagesCard,
};

function latencyStagesCard(page, nodes, { listener }) {
  const stagesNode = listener?.latencyStages;
  if (!stagesNode) return null;
  const all = (role) => stagesNode.children.filter((node) => node.has(role));
  const parts = stages.map((role) => stagesNode.find(role)).filter(Boolean);
  const total = stagesNode.find(roles.latencyTotal);
  const bar = element('div', { class: 'stage-bar', 'aria-hidden': 'true' },
    parts.map((_, index) => element('div', { class: `stage-part stage-${index}` })));
  const row = (node, name) => {
    const cells = [0, 2].map(() => element('td', {}, '–'));
    page.watch(node, (values) => {
      const isKnown = values.some((value) => value > 0);
      cells.forEach((cell, index) => setText(cell, isKnown ? milliseconds(values[index * 2]) : '–'));
    });
    return element('tr', { title: node.help, class: name }, element('th', { scope: 'row' }, node.title), cells);
  };
  const table = element('table', { class: 'stage-table' },
    element('thead', {}, element('tr', {}, element('td'),
      ['median (ms)', '99 % (ms)'].map((word) => element('th', { scope: 'col' }, word)))),
    element('tbody', {}, parts.map((node, index) => row(node, `stage-row stage-${index}`)),
      total && row(total, 'stage-total'), all(roles.latencyInterval).map((node) => row(node, 'stage-beside'))));
  const none = element('p', { class: 'help' }, 'No poses yet. Attach a tracker, or turn the head.');
  let hadPoses = false;
  const show = () => {
    const values = parts.map((node) => Math.max(0, page.values.of(node)[0] ?? 0));
    const whole = values.reduce((sum, value) => sum + value, 0);
    values.forEach((value, index) => { bar.children[index].style.flexGrow = whole > 0 ? value / whole : 0; });
    bar.classList.toggle('is-empty', whole === 0);
    // The line stays, so that nothing moves when poses stop or return.
    if (whole > 0) setText(none, 'Poses of the last 5 s.');
    else if (hadPoses) setText(none, 'No poses in the last 5 s.');
    hadPoses ||= whole > 0;
  };
  for (const node of parts) page.watch(node, show);
  const spread = stagesNode.find(roles.latencyHistogram);
  return card('Latency by stage', stagesNode.description, none, bar, table, spread && histogram(page, spread),
    element('dl', { class: 'counts' }, all(roles.latencyCount).map((node) => tile(page, node))));
}

function tile(page, node) {
  const number = element('dd', {}, '–');
  page.watch(node, ([value]) => setText(number, withUnit(readoutText(value ?? 0), node.unit)));
  return element('div', { class: 'count', title: node.help }, element('dt', {}, node.title), number);
}

function histogram(page, node) {
  const canvas = element('canvas', { class: 'sparkline', role: 'img' });
  const left = element('span');
  const right = element('span');
  const picture = new Canvas(canvas, (context, width, height) => {
    const counts = page.values.of(node);
    const [from, to] = visible(counts);
    const most = Math.max(1, ...counts);
    context.fillStyle = palette.line;
    context.fillRect(0, height - 1, width, 1);
    context.fillStyle = palette.ink;
    const step = width / Math.max(1, to - from);
    for (let index = from; index < to; index += 1) {
      const size = (height - 3) * (counts[index] / most);
      context.fillRect((index - from) * step + 1, height - 1 - size, Math.max(1, step - 2), size);
    }
  });
  page.watch(node, (counts) => {
    const [from, to] = visible(counts);
    setText(left, to > from ? `${readoutText(from === 0 ? 0 : boundOf(from - 1))} ms` : '');
    setText(right, to > from ? `${readoutText(boundOf(to - 1))} ms` : '');
    setAttribute(canvas, 'aria-label', to > from
      ? `Motion to sound of ${counted(counts.reduce((sum, count) => sum + count, 0), 'pose')}, from ${left.textContent} `
        + `to ${right.textContent}`
      : 'No poses yet. Attach a tracker, or turn the head.');
    picture.request();
  });
  page.onEnd(() => picture.end());
  return element('div', {}, canvas, element('p', { class: 'sparkline-words' }, left, node.title, right));
}
