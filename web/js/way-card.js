import { card } from './group.js';
import { element, setAttribute, setText } from './element.js';
import { boundOf, visible } from './histogram.js';
import { palette } from './palette.js';
import { Picture } from './picture.js';
import { readoutText, withUnit } from './units.js';

/** One after the other they make the whole way. */
const stages = ['way.transmission', 'way.waiting', 'way.rendering', 'way.output'];

/** Milliseconds with as many figures as anybody reads. */
const milliseconds = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(1));

/**
 * The way of a listener's poses to sound: its stages as one bar, as numbers, and how the whole of it is spread.
 *
 * @param way the container of the stages
 */
export function wayCard(page, way) {
  const nodes = (role) => way.children.filter((node) => node.has(role));
  const parts = stages.map((role) => way.find(role)).filter(Boolean);
  const total = way.find('way.total');
  const bar = element('div', { class: 'way-bar', 'aria-hidden': 'true' },
    parts.map((_, index) => element('div', { class: `way-part way-${index}` })));
  const row = (node, name) => {
    const cells = [0, 2].map(() => element('td', {}, '–'));
    page.watch(node, (values) => {
      const isKnown = values.some((value) => value > 0);
      cells.forEach((cell, index) => setText(cell, isKnown ? milliseconds(values[index * 2]) : '–'));
    });
    return element('tr', { title: node.help, class: name }, element('th', { scope: 'row' }, node.title), cells);
  };
  const table = element('table', { class: 'way' },
    element('thead', {}, element('tr', {}, element('td'), ['half', 'p99'].map((word) => element('th', { scope: 'col' }, word)))),
    element('tbody', {}, parts.map((node, index) => row(node, `way-row way-${index}`)),
      total && row(total, 'way-total'), nodes('way.beside').map((node) => row(node, 'way-beside'))));
  const show = () => {
    const values = parts.map((node) => Math.max(0, page.values.of(node)[0] ?? 0));
    const whole = values.reduce((sum, value) => sum + value, 0);
    values.forEach((value, index) => { bar.children[index].style.flexGrow = whole > 0 ? value / whole : 0; });
    bar.classList.toggle('is-empty', whole === 0);
  };
  for (const node of parts) page.watch(node, show);
  const spread = way.find('way.histogram');
  return card('Way of a pose', way.description, bar, table, spread && histogram(page, spread),
    element('dl', { class: 'counts' }, nodes('way.count').map((node) => tile(page, node))));
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
  const picture = new Picture(canvas, (context, width, height) => {
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
      ? `Motion to sound of ${counts.reduce((sum, count) => sum + count, 0)} poses, from ${left.textContent} to ${right.textContent}`
      : 'No poses yet');
    picture.request();
  });
  page.onEnd(() => picture.end());
  return element('div', {}, canvas, element('p', { class: 'sparkline-words' }, left, node.title, right));
}
