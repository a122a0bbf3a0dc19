import { card } from '../shared/controls/card.js';
import { ClipLatch, PeakHold, ceiling, decibelText, floor, place, toDecibels } from '../shared/numbers/decibels.js';
import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { microphoneRow } from './microphone-row.js';
import { roles } from '../shared/tree/roles.js';

const ears = ['left', 'right'];
const marks = [-48, -36, -24, -12, 0];

/** Levels of both ears as they are heard (RMS, peak, held peak, clipping), the limiter's part, and the microphones below. */
export default { topic: 'head', needs: [roles.earPeak], shows: [roles.earPeak, roles.earRMS, roles.earReduction], make: levelsCard };

function levelsCard(page, nodes, { listener }) {
  if (!listener?.earPeak) return null;
  const rows = ears.map((ear) => new EarMeter(ear));
  const now = () => performance.now() / 1000;
  page.watch(listener.earPeak, (values) => rows.forEach((row, index) => row.takePeak(values[index] ?? 0, now())));
  page.watch(listener.earRms, (values) => rows.forEach((row, index) => row.takeRms(values[index] ?? 0)));
  const timer = setInterval(() => rows.forEach((row) => row.settle(now())), 50);
  page.onEnd(() => clearInterval(timer));
  const scale = element('div', { class: 'scale', 'aria-hidden': 'true' }, marks.map((mark) =>
    element('span', { style: `left: ${place(mark) * 100}%` }, String(mark).replace('-', '−'))));
  const made = card('Levels', '', element('div', { class: 'ears' }, rows.map((row) => row.element),
    element('div', { class: 'ear-row' },
      element('span'), scale, element('span', { class: 'ear-units' }, element('span', { class: 'ear-unit' }, 'dB'),
        listener.earReduction ? limiterText(page, listener.earReduction) : null))),
    page.root.find(roles.microphonePeak) ? microphoneRow(page) : null);
  made.classList.add('levels');
  return made;
}

/** Gain reduction of the limiter before the ears, dB. */
function limiterText(page, node) {
  const words = element('span', { class: 'ear-unit limiter', role: 'img', title: node.help });
  page.watch(node, ([value]) => {
    const text = value >= 0.05 ? `−${value.toFixed(1)}` : '0';
    setText(words, `limiter ${text}`);
    words.classList.toggle('is-active', value >= 0.05);
    setAttribute(words, 'aria-label', `Limiter: ${text} dB`);
  });
  return words;
}

/** One ear. */
class EarMeter {
  constructor(ear) {
    this.hold = new PeakHold();
    this.clip = new ClipLatch();
    this.rms = element('div', { class: 'bar-rms' });
    this.peak = element('div', { class: 'bar-peak' });
    this.held = element('div', { class: 'bar-held' });
    this.number = element('span', { class: 'ear-number' }, '−∞');
    this.button = element('button', {
      type: 'button', class: 'clip', disabled: true, 'aria-label': `${ear} ear: no clipping`,
      onclick: () => this.#reset(),
    }, 'clip');
    this.ear = ear;
    this.meter = element('div', {
      class: 'bar', role: 'meter', 'aria-label': `${ear} ear level`, 'aria-valuemin': floor, 'aria-valuemax': ceiling,
    }, this.peak, this.rms, element('div', { class: 'bar-zero', style: `left: ${place(0) * 100}%` }), this.held);
    this.element = element('div', { class: `ear-row ear-${ear}` },
      element('span', { class: 'ear-letter', 'aria-hidden': 'true' }, ear[0].toUpperCase()),
      this.meter, this.number, this.button);
  }

  takeRms(linear) {
    this.rms.style.transform = `scaleX(${place(toDecibels(linear))})`;
  }

  takePeak(linear, now) {
    const decibels = toDecibels(linear);
    this.peak.style.transform = `scaleX(${place(decibels)})`;
    this.hold.take(decibels, now);
    if (!this.clip.take(linear)) return;
    this.button.disabled = false;
    this.button.classList.add('is-set');
    setAttribute(this.button, 'aria-label', `${this.ear} ear: clipped. Press to reset.`);
  }

  /** Updates the held peak, which falls over time. */
  settle(now) {
    const held = this.hold.at(now);
    this.held.style.left = `${place(held) * 100}%`;
    this.held.style.opacity = place(held) > 0 ? 1 : 0;
    setText(this.number, decibelText(held));
    setAttribute(this.meter, 'aria-valuenow', Math.round(Math.max(floor, held)));
  }

  #reset() {
    this.clip.reset();
    this.button.classList.remove('is-set');
    this.button.disabled = true;
    setAttribute(this.button, 'aria-label', `${this.ear} ear: no clipping`);
  }
}
