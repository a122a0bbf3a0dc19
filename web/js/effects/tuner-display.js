import { element, setAttribute, setText } from '../shared/drawing/element.js';

/** Elements that show a note and its deviation: the name, a needle from 50 cents flat to 50 cents sharp, and words. */
export function tunerDisplay(page, note, cents) {
  const name = element('output', { class: 'tuner-note' });
  const needle = element('span', { class: 'tuner-needle' });
  const words = element('p', { class: 'tuner-cents' });
  const scale = element('div', { class: 'tuner-scale', role: 'img' }, needle);
  const marks = element('p', { class: 'tuner-marks', 'aria-hidden': 'true' },
    ['−50 cents', '0', '+50 cents'].map((mark) => element('span', {}, mark)));
  const made = element('div', { class: 'tuner' }, name, scale, marks, words);
  const show = () => {
    const [text] = page.values.of(note);
    const value = page.values.number(cents);
    setText(name, text || '–');
    needle.style.setProperty('--cents', value);
    for (const each of [scale, made]) each.classList.toggle('is-silent', !text);
    for (const each of [scale, made]) each.classList.toggle('is-right', Boolean(text) && Math.abs(value) < 3);
    const said = !text ? 'No note detected' : `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)} cents`;
    setText(words, said);
    setAttribute(scale, 'aria-label', text ? `${text}, ${said}` : said);
  };
  page.watch(note, show);
  page.watch(cents, show);
  return made;
}
