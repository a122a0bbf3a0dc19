import { Connection } from '../shared/connection/connection.js';
import { showConnection } from '../shared/connection/connection-status.js';
import { Telemetry } from '../shared/connection/telemetry-socket.js';
import { card } from '../shared/controls/card.js';
import { element, setText } from '../shared/drawing/element.js';
import { onPaletteChange } from '../shared/drawing/palette.js';
import { ListedScope } from '../shared/tree/listed-scope.js';
import { listenersOf } from '../shared/tree/tree.js';
import { Values } from '../shared/tree/values.js';
import { numberText, readoutText } from '../shared/numbers/units.js';
import { LatencyHistogram } from './latency-histogram.js';
import { charts } from './telemetry-charts.js';
import { TelemetryLog } from './telemetry-log.js';
import { TelemetryRecord } from './telemetry-record.js';
import { TimeChart } from './time-chart.js';

const part = (id) => document.getElementById(id);
/** Frames per second that the page subscribes to. */
const rate = 20;
/** Longest time span that can be shown, in seconds. */
const longestSpan = 300;
const library = '/lib/dygraphs/dygraph.min.js';
/** Milliseconds between two drawings. */
const interval = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 1000 : 100);
const counters = ['blocks', 'xruns', 'dropouts'];

/** Opens the telemetry page; start.js documents the returned object. */
export function open(world, login) {
  const telemetry = new TelemetryPage(world, login);
  return {
    start: () => telemetry.start(),
    retry: () => telemetry.connect(),
    diagnostics: {
      get state() {
        return telemetry.isOpen ? 'live' : 'lost';
      },
    },
  };
}

/** Charts of the engine's telemetry, which can be frozen, read at one moment, and exported. */
class TelemetryPage {
  #record = new TelemetryRecord(
    Object.fromEntries(charts.map((chart) => [chart.topic, chart.series.map((series) => series.column)])), longestSpan);
  /** Copy of the record that is shown while the page is frozen; null otherwise. */
  #frozen = null;
  /** Index of the listener that is shown. */
  #listener = 0;
  /** Last frame of the topic `latency`. */
  #latency = null;
  /** Reason why there are no charts; empty when there are. */
  #missing = '';
  #histogram = new LatencyHistogram();
  #log = new TelemetryLog();
  #counts = Object.fromEntries(counters.map((name) => [name, element('dd', {}, '–')]));
  /** The listeners of the engine's tree, and the last values of what is straight ahead of them. */
  #listeners = [];
  #values = new Values();
  isOpen = false;

  constructor(world, login) {
    this.world = world;
    this.login = login;
    this.plots = charts.map((chart) => new TimeChart(chart, (time) => {
      if (this.#frozen) this.#point(time);
    }));
    this.telemetry = new Telemetry(world, [...charts.map(({ topic }) => topic), 'log'], rate,
      (data, frame) => this.#take(data, frame), (isOpen) => {
        this.isOpen = isOpen;
        this.#showConnection();
      });
    this.connection = new Connection(world, this.#values, {
      state: () => {}, error: () => {}, locked: () => {}, tree: (root) => { this.#listeners = listenersOf(root); },
    }, (root) => listenersOf(root).map(({ front }) => front?.path).filter(Boolean), new ListedScope());
    const tile = (name) => element('div', { class: 'count' },
      element('dt', {}, name[0].toUpperCase() + name.slice(1)), this.#counts[name]);
    part('charts').append(...this.plots.map((plot) => plot.element), this.#histogram.element,
      card('Log', 'Newest lines first.', element('dl', { class: 'counts' }, counters.map(tile)), this.#log.element));
  }

  start() {
    this.#listen();
    this.#loadLibrary();
    setInterval(() => {
      if (!this.#frozen && !document.hidden) this.#draw();
    }, interval());
    this.connect();
  }

  /** Opens the socket, or asks for a token first: a WebSocket does not say why it was refused, a request does. */
  async connect() {
    const response = await this.world.fetch('/?HOST_INFO', { cache: 'no-store' }).catch(() => null);
    if (response?.status === 401) this.login.show();
    else {
      this.telemetry.start();
      this.connection.start();
    }
  }

  #listen() {
    part('freeze').addEventListener('click', () => this.#toggleFrozen());
    part('moment').addEventListener('input', () => this.#draw());
    part('moment').addEventListener('keydown', (event) => this.#stepMoment(event));
    part('span').addEventListener('change', () => this.#draw());
    part('listener').addEventListener('change', () => this.#chooseListener(Number(part('listener').value)));
    part('export').addEventListener('click', () => this.#export());
    onPaletteChange(() => {
      for (const plot of this.plots) plot.recolour();
    });
  }

  /** Records a frame, and shows it unless the page is frozen. */
  #take(data, { topic, time }) {
    if (topic === 'log') {
      this.#log.take(data);
      return;
    }
    this.#record.take(topic, time / 1e9, charts.find((chart) => chart.topic === topic).read(data, this.#listener, this.#front));
    if (topic === 'meters') this.#offerListeners(data.listeners.length);
    if (topic === 'latency') this.#latency = data;
    if (this.#frozen) return;
    if (topic === 'latency') this.#histogram.take(data, this.#listener);
    if (topic === 'engine') for (const name of counters) setText(this.#counts[name], readoutText(data[name]));
  }

  /** Yaw in degrees that is straight ahead of the listener that is shown. */
  get #front() {
    return this.#values.number(this.#listeners[this.#listener]?.front);
  }

  #offerListeners(count) {
    const choice = part('listener');
    // Listeners on the network come and go: the frames have places for absent ones, too.
    const present = this.#listeners.map(({ name }) => Number(name)).filter((number) => number <= count);
    const numbers = present.length > 0 ? present : Array.from({ length: count }, (_, index) => index + 1);
    if ([...choice.options].map(({ text }) => text).join() === numbers.join()) return;
    choice.replaceChildren(...numbers.map((number) => element('option', { value: number - 1 }, String(number))));
    if (!numbers.includes(this.#listener + 1)) this.#chooseListener(numbers[0] - 1);
    choice.value = this.#listener;
    part('listener-choice').hidden = numbers.length < 2;
  }

  #chooseListener(index) {
    this.#listener = index;
    // Earlier rows belong to another listener.
    this.#record.clear();
    if (this.#latency && !this.#frozen) this.#histogram.take(this.#latency, index);
  }

  #showConnection() {
    showConnection(this.isOpen ? 'live' : 'lost', this.#frozen ? 'Frozen' : undefined);
    const problem = this.isOpen || this.#frozen ? ''
      : `No telemetry arrives from ${this.world.origin}. Retrying every 2 s; check that “vestibule serve” is running.`;
    setText(part('words'), [this.#missing, problem].filter(Boolean).join(' '));
  }

  get #span() {
    return Number(part('span').value);
  }

  get #shown() {
    return this.#frozen ?? this.#record;
  }

  /** Time whose numbers are shown: the newest, or while frozen the one that the slider points to. */
  get #moment() {
    const { last } = this.#shown;
    return this.#frozen ? last - this.#span * (1 - Number(part('moment').value)) : last;
  }

  #point(time) {
    part('moment').value = Math.min(1, Math.max(0, 1 - (this.#frozen.last - time) / this.#span));
    this.#draw();
  }

  #stepMoment(event) {
    const step = { ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01, PageDown: -0.1, PageUp: 0.1 }[event.key];
    if (!step) return;
    event.preventDefault();
    part('moment').value = Number(part('moment').value) + step;
    this.#draw();
  }

  #draw() {
    const { last } = this.#shown;
    if (last < 0) return;
    const moment = this.#moment;
    charts.forEach(({ topic }, index) => this.plots[index].draw(this.#shown.rows(topic), last - this.#span, last, moment));
    if (!this.#frozen) return;
    part('moment').setAttribute('aria-valuetext',
      `${numberText(last - moment, 1)} seconds before the end. ${this.plots.map((plot) => plot.words).join('. ')}`);
  }

  #toggleFrozen() {
    this.#frozen = this.#frozen ? null : this.#record.copy();
    const isFrozen = this.#frozen !== null;
    part('freeze').setAttribute('aria-pressed', isFrozen);
    part('moment').disabled = !isFrozen;
    part('moment').value = 1;
    part('moment').removeAttribute('aria-valuetext');
    this.#log.hold(isFrozen);
    if (!isFrozen && this.#latency) this.#histogram.take(this.#latency, this.#listener);
    this.#showConnection();
    this.#draw();
  }

  #export() {
    const file = new Blob([this.#shown.csv(this.#shown.last - this.#span)], { type: 'text/csv' });
    const link = element('a', {
      href: URL.createObjectURL(file), download: `telemetry-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.csv`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /** Loads the charts' library, which the engine serves from its system; without it the page names the missing package. */
  #loadLibrary() {
    const script = element('script', { src: library });
    script.addEventListener('load', () => {
      for (const plot of this.plots) plot.useLibrary(window.Dygraph);
    });
    script.addEventListener('error', async () => {
      const why = await this.world.fetch(library).then((response) => response.text()).catch(() => '');
      this.#missing = `There are no charts: ${why.trim() || `${library} was not served`}.`;
      for (const plot of this.plots) plot.giveUp();
      this.#showConnection();
    });
    document.head.append(script);
  }
}
