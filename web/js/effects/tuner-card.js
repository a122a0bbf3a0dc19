import { element, setAttribute, setText } from '../shared/drawing/element.js';
import { controls, card } from '../shared/controls/card.js';
import { containerTitle } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

/** Tuner: the note, and a needle from 50 cents flat to 50 cents sharp. */
export default {
  topic: 'effects',
  needs: [roles.tunerNote],
  shows: [roles.tunerNote, roles.tunerCents],
  owns: 'container',
  make: tunerCard,
};

function tunerCard(page, [note]) {
  const container = note.parent;
  const cents = container.find(roles.tunerCents);
  const name = element('output', { class: 'tuner-note' });
  const needle = element('span', { class: 'tuner-needle' });
  const words = element('p', { class: 'tuner-cents' });
  const scale = element('div', { class: 'tuner-scale', role: 'img' }, needle);
  const show = () => {
    const [text] = page.values.of(note);
    const value = page.values.number(cents);
    setText(name, text || '–');
    needle.style.setProperty('--cents', value);
    scale.classList.toggle('is-silent', !text);
    scale.classList.toggle('is-right', Boolean(text) && Math.abs(value) < 3);
    const said = !text ? 'No note detected' : `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)} cents`;
    setText(words, said);
    setAttribute(scale, 'aria-label', text ? `${text}, ${said}` : said);
  };
  page.watch(note, show);
  page.watch(cents, show);
  return card(containerTitle(container), container.description,
    element('div', { class: 'tuner' }, name, scale, words), controls(page, container));
}
