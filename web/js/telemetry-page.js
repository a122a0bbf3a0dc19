import { browserWorld } from './connection.js';
import { element, setText } from './element.js';
import { card } from './group.js';
import { LatencyHistogram } from './latency-histogram.js';
import { Login, logInFromAddress } from './login.js';
import { onPaletteChange } from './palette.js';
import { Telemetry } from './telemetry.js';
import { charts } from './telemetry-charts.js';
import { TelemetryRecord } from './telemetry-record.js';
import { TimeChart } from './time-chart.js';
import { numberText, readoutText } from './units.js';

const part = (id) => document.getElementById(id);
const rate = 20;
/** The longest that can be shown, in seconds. */
const kept = 300;
const library = '/lib/dygraphs/dygraph.min.js';
/** Milliseconds between two drawings. */
const pace = matchMedia('(prefers-reduced-motion: reduce)').matches ? 1000 : 100;

const world = browserWorld();
const record = new TelemetryRecord(
  Object.fromEntries(charts.map((chart) => [chart.topic, chart.series.map((series) => series.column)])), kept);
/** What is shown while nothing moves; null while it does. */
let frozen = null;
/** Which listener is shown, from 0. */
let listener = 0;
let isOpen = false;
let latency = null;
let missing = '';

const plots = charts.map((chart) => new TimeChart(chart, (time) => {
  if (frozen) point(time);
}));
const histogram = new LatencyHistogram();
const log = element('ol', { class: 'log', role: 'log', 'aria-label': 'Log', tabindex: 0 });
const held = [];
const counts = Object.fromEntries(['blocks', 'xruns', 'dropouts'].map((name) => [name, element('dd', {}, '–')]));
const tile = (title, number) => element('div', { class: 'count' }, element('dt', {}, title), number);

part('charts').append(...plots.map((plot) => plot.element), histogram.element,
  card('Log', 'Newest first.', element('dl', { class: 'counts' },
    tile('Blocks', counts.blocks), tile('Xruns', counts.xruns), tile('Dropouts', counts.dropouts)), log));

const telemetry = new Telemetry(world, [...charts.map(({ topic }) => topic), 'log'], rate, take, (state) => {
  isOpen = state;
  document.documentElement.dataset.link = state ? 'live' : 'lost';
  showLink();
});

/** A frame: into the record always, into what is shown only while nothing is frozen. */
function take(data, { topic, time }) {
  if (topic === 'log') {
    if (frozen) held.push(data);
    else addLines(data);
    return;
  }
  record.take(topic, time / 1e9, charts.find((chart) => chart.topic === topic).read(data, listener));
  if (topic === 'meters') offerListeners(data.listeners.length);
  if (topic === 'latency') latency = data;
  if (frozen) return;
  if (topic === 'latency') histogram.take(latency, listener);
  if (topic === 'engine') for (const name of Object.keys(counts)) setText(counts[name], readoutText(data[name]));
}

function addLines(lines) {
  for (const { time, text } of lines) {
    const clock = new Date(time * 1000).toTimeString().slice(0, 8);
    log.prepend(element('li', {}, element('time', {}, clock), element('span', {}, text)));
  }
  while (log.children.length > 256) log.lastElementChild.remove();
}

function offerListeners(count) {
  const choice = part('listener');
  if (choice.children.length === count) return;
  choice.replaceChildren(...Array.from({ length: count }, (_, index) => element('option', { value: index }, String(index + 1))));
  choice.value = Math.min(listener, count - 1);
  part('listener-choice').hidden = count < 2;
}

function showLink() {
  setText(part('link-text'), frozen ? 'Frozen' : isOpen ? 'Live' : 'No connection');
  setText(part('words'), [missing, isOpen || frozen ? '' : `No telemetry from ${world.origin}; trying again.`].filter(Boolean).join(' '));
}

const span = () => Number(part('span').value);
const shown = () => frozen ?? record;

/** The moment whose numbers are shown: the newest, or where the slider stands. */
function moment() {
  const { last } = shown();
  return frozen ? last - span() * (1 - Number(part('moment').value)) : last;
}

function point(time) {
  part('moment').value = Math.min(1, Math.max(0, 1 - (frozen.last - time) / span()));
  draw();
}

function draw() {
  const source = shown();
  if (source.last < 0) return;
  const at = moment();
  charts.forEach(({ topic }, index) => plots[index].draw(source.rows(topic), source.last - span(), source.last, at));
  if (!frozen) return;
  const back = source.last - at;
  part('moment').setAttribute('aria-valuetext',
    `${numberText(back, 1)} seconds before the end. ${plots.map((plot) => plot.words).join('. ')}`);
}

part('freeze').addEventListener('click', () => {
  frozen = frozen ? null : record.copy();
  part('freeze').setAttribute('aria-pressed', frozen !== null);
  part('moment').disabled = !frozen;
  part('moment').value = 1;
  part('moment').removeAttribute('aria-valuetext');
  if (!frozen) {
    for (const lines of held.splice(0)) addLines(lines);
    if (latency) histogram.take(latency, listener);
  }
  showLink();
  draw();
});
part('moment').addEventListener('input', draw);
part('moment').addEventListener('keydown', (event) => {
  const step = { ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01, PageDown: -0.1, PageUp: 0.1 }[event.key];
  if (!step) return;
  event.preventDefault();
  part('moment').value = Number(part('moment').value) + step;
  draw();
});
part('span').addEventListener('change', draw);
part('listener').addEventListener('change', () => {
  listener = Number(part('listener').value);
  // What was drawn so far is another head's.
  for (const rows of Object.values(record.tables)) rows.length = 0;
  if (latency && !frozen) histogram.take(latency, listener);
});
part('export').addEventListener('click', () => {
  const file = new Blob([shown().csv(shown().last - span())], { type: 'text/csv' });
  const link = element('a', {
    href: URL.createObjectURL(file), download: `telemetry-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.csv`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});

/** Charts are drawn by a library of the engine's system; without it the page says which package has it. */
function equip() {
  const script = element('script', { src: library });
  script.addEventListener('load', () => {
    for (const plot of plots) plot.equip(window.Dygraph);
  });
  script.addEventListener('error', async () => {
    const why = await world.fetch(library).then((response) => response.text()).catch(() => '');
    missing = `There are no charts: ${why.trim() || 'their library did not come'}.`;
    for (const plot of plots) plot.giveUp();
    showLink();
  });
  document.head.append(script);
}

/** A WebSocket does not say why it was refused; an ordinary question does. */
async function begin() {
  const response = await world.fetch('/?HOST_INFO', { cache: 'no-store' }).catch(() => null);
  if (response?.status === 401) login.show();
  else telemetry.start();
}

const login = new Login(world, begin);
onPaletteChange(() => {
  for (const plot of plots) plot.recolour();
});
equip();
setInterval(() => {
  if (!frozen && !document.hidden) draw();
}, pace);
logInFromAddress(world).then((problem) => {
  if (problem) login.explain(problem);
  begin();
});
