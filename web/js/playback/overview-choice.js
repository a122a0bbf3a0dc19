import { element, setAttribute } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';

const key = 'vestibule.overview';
const watchers = new Set();
let chosen = null;

/** The picture in the seek bar, `waveform` or `spectrogram`, which this browser remembers. */
export function overviewKind() {
  try {
    chosen ??= localStorage.getItem(key) === 'spectrogram' ? 'spectrogram' : 'waveform';
  } catch {
    chosen ??= 'waveform';
  }
  return chosen;
}

function choose(kind) {
  chosen = kind;
  try {
    localStorage.setItem(key, kind);
  } catch {
    // A browser without storage forgets the choice.
  }
  for (const watcher of watchers) watcher();
}

/** Calls `watcher` at every change until the page ends. */
export function onOverviewKind(page, watcher) {
  watchers.add(watcher);
  page.onEnd(() => watchers.delete(watcher));
}

/** A button that shows the spectrogram instead of the waveform. */
export function overviewButton(page) {
  const button = element('button', {
    type: 'button', class: 'round toggle overview-switch', 'aria-label': 'Spectrogram',
    title: 'Shows the spectrogram in the seek bar instead of the waveform.',
    onclick: () => choose(overviewKind() === 'spectrogram' ? 'waveform' : 'spectrogram'),
  }, icon('spectrogram', 22));
  const show = () => setAttribute(button, 'aria-pressed', overviewKind() === 'spectrogram');
  onOverviewKind(page, show);
  show();
  return button;
}

/** The same choice with words, for a card. */
export function overviewSegments(page) {
  const inputs = ['waveform', 'spectrogram'].map((kind) => element('input', {
    type: 'radio', name: 'overview', value: kind, onchange: () => choose(kind),
  }));
  const show = () => inputs.forEach((input) => { input.checked = input.value === overviewKind(); });
  onOverviewKind(page, show);
  show();
  return element('div', { class: 'control' },
    element('div', { class: 'caption' }, element('span', { class: 'label', id: 'overview-choice' }, 'Seek bar'),
      element('p', { class: 'help' }, 'Picture of the recording behind the position. This browser remembers it.')),
    element('div', { class: 'segments', role: 'radiogroup', 'aria-labelledby': 'overview-choice' },
      inputs.map((input) => element('label', { class: 'segment' }, input, element('span', {}, input.value)))));
}
