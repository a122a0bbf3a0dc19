import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { clockText, spokenTime } from '../shared/numbers/units.js';
import { VideoPreview } from './video-preview.js';

/** Milliseconds of one step of the video's offset. */
const step = 10;

/** The elements of the video: its picture, the buttons below, and what they are set to. */
export class VideoControls {
  isSplit = false;
  hasMarks = false;
  #isSeeking = false;
  #outside = '';

  /**
   * @param actions functions: `play()`, `seek(seconds)`, `nudge(milliseconds)`, `headset()`, and `film()` as in `VideoPreview`; and
   *   `objects`, the `ObjectHandles` over the picture
   */
  constructor(actions) {
    this.actions = actions;
    this.canvas = element('canvas', {
      class: 'view-picture', tabindex: 0, role: 'img', 'aria-label': '360-degree video', 'aria-describedby': 'view-keys',
    });
    this.marks = element('canvas', { class: 'view-marks', hidden: true, 'aria-hidden': 'true' });
    this.words = element('p', { class: 'view-words', role: 'status' });
    this.frame = element('div', { class: 'view-frame' }, this.canvas, this.marks, actions.objects.element, this.words);
    this.playButton = element('button', { type: 'button', class: 'plain view-play', onclick: () => actions.play() });
    this.position = element('input', { type: 'range', min: 0, max: 1, step: 0.1, value: 0, 'aria-label': 'Position' });
    this.preview = new VideoPreview(this.position, () => actions.film());
    this.time = element('output', {}, '0:00');
    this.marksButton = this.#toggle('Grid', (isOn) => this.#showMarks(isOn));
    this.splitButton = this.#toggle('Split view', (isOn) => this.#split(isOn));
    this.fullButton = this.#button('Full screen', () => this.toggleFullScreen());
    this.headsetButton = this.#button('Headset', () => actions.headset());
    this.headsetButton.hidden = true;
    setAttribute(this.headsetButton, 'aria-pressed', false);
    this.spacingLine = this.#spacing();
    this.distance = element('span', { class: 'view-distance' });
    this.offset = element('output', {}, '0 ms');
    this.earlier = this.#button('−', () => actions.nudge(-step), 'Show the picture 10 ms earlier');
    this.later = this.#button('+', () => actions.nudge(step), 'Show the picture 10 ms later');
    this.contents = element('p', { class: 'help' });
    this.watching = element('p', { class: 'help', hidden: true }, 'This browser may watch and listen, not control.');
    this.section = element('section', { class: 'view', 'aria-label': '360-degree video' },
      this.frame,
      element('div', { class: 'view-transport' }, this.playButton,
        element('div', { class: 'view-seek' }, this.position, this.preview.strip.element, this.preview.element), this.time),
      element('div', { class: 'view-buttons' }, this.marksButton, this.splitButton, this.fullButton, this.headsetButton),
      this.spacingLine,
      element('div', { class: 'view-step' }, this.distance, element('span', { class: 'view-nudge' },
        element('span', { class: 'label' }, 'Offset here'), this.earlier, this.offset, this.later)),
      this.watching,
      this.contents,
      element('details', { class: 'help' }, element('summary', {}, 'Keys of the picture'),
        element('p', { id: 'view-keys' }, 'The arrow keys turn and tilt the head by 5 degrees, with Shift by 1. '
          + 'Home faces the front. Plus and minus zoom. G shows the grid with the sound objects, S splits the view, F fills the screen, '
          + 'K plays and pauses.')));
    this.#listen();
    this.showPlaying(false);
  }

  #button(text, action, label) {
    return element('button', { type: 'button', class: 'plain', 'aria-label': label, title: label, onclick: action }, text);
  }

  #toggle(text, change) {
    const button = this.#button(text, () => change(button.getAttribute('aria-pressed') !== 'true'));
    setAttribute(button, 'aria-pressed', false);
    return button;
  }

  #spacing() {
    const fill = () => this.spacingInput.style.setProperty('--share', (this.spacing + 0.3) / 0.6);
    this.spacingInput = element('input', { type: 'range', min: -0.3, max: 0.3, step: 0.01, value: 0, id: 'view-spacing', oninput: fill });
    fill();
    return element('div', { class: 'control-line hear-volume', hidden: true },
      element('label', { class: 'label', for: 'view-spacing' }, 'Eye distance'), this.spacingInput);
  }

  #listen() {
    this.position.addEventListener('input', () => { this.#isSeeking = true; });
    this.position.addEventListener('change', () => {
      this.#isSeeking = false;
      this.actions.seek(Number(this.position.value));
    });
    document.addEventListener('fullscreenchange', () => setAttribute(this.fullButton, 'aria-pressed', this.isFull));
  }

  /** By how much the centres of the split pictures are moved apart. */
  get spacing() {
    return Number(this.spacingInput.value);
  }

  get isFull() {
    return document.fullscreenElement === this.frame;
  }

  toggleFullScreen() {
    if (this.isFull) document.exitFullscreen();
    else this.frame.requestFullscreen?.().catch(() => this.say('This browser does not support full screen here.', true));
  }

  toggleMarks() {
    this.#showMarks(!this.hasMarks);
  }

  toggleSplit() {
    this.#split(!this.isSplit);
  }

  /** Permits or forbids what changes the engine for everybody: playing and seeking. */
  permit(isPermitted) {
    for (const part of [this.playButton, this.position]) part.disabled = !isPermitted;
    this.watching.hidden = isPermitted;
    this.actions.objects.isPermitted = isPermitted;
  }

  #showMarks(isOn) {
    this.hasMarks = isOn;
    setAttribute(this.marksButton, 'aria-pressed', isOn);
    this.marks.hidden = !isOn;
  }

  #split(isOn) {
    this.isSplit = isOn;
    setAttribute(this.splitButton, 'aria-pressed', isOn);
    this.spacingLine.hidden = !isOn;
  }

  /** Offers the headset, if there is one. */
  offerHeadset(isThere) {
    this.headsetButton.hidden = !isThere;
  }

  showHeadset(isOn) {
    setAttribute(this.headsetButton, 'aria-pressed', isOn);
    this.say(isOn ? 'The picture is shown in the headset.' : '');
  }

  say(text, isWrong = false) {
    setText(this.words, text);
    this.words.classList.toggle('is-wrong', isWrong);
  }

  /** Shows that the sound plays where the video has no picture: by how many seconds after its end, or, negative, before its start. */
  showOutside(seconds) {
    const text = seconds > 0 ? 'The video has ended. The sound continues.'
      : seconds < 0 ? `The video starts in ${clockText(-seconds)}.` : '';
    if (text === this.#outside) return;
    this.#outside = text;
    this.say(text);
  }

  /** Shows what the engine says about the file. */
  describe(text) {
    setText(this.contents, text ?? '');
  }

  showPlaying(isPlaying) {
    const words = isPlaying ? 'Pause' : 'Play';
    if (this.playButton.getAttribute('aria-label') === words) return;
    setAttribute(this.playButton, 'aria-label', words);
    this.playButton.replaceChildren(icon(isPlaying ? 'pause' : 'play', 20));
  }

  showTime(seconds, duration) {
    this.position.max = duration;
    if (!this.#isSeeking) this.position.value = seconds;
    this.position.style.setProperty('--share', duration > 0 ? Math.min(1, this.position.value / duration) : 0);
    setText(this.time, `${clockText(seconds)} / ${clockText(duration)}`);
    setAttribute(this.position, 'aria-valuetext', `${spokenTime(seconds)} of ${spokenTime(duration)}`);
  }

  showDistance(text, offset) {
    setText(this.distance, text);
    setText(this.offset, `${Math.round(offset)} ms`);
  }
}
