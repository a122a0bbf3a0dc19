import { element } from './element.js';

/** Writes a text in which options of the command line, such as --mqtt, are not broken between lines; only when it differs. */
export function setOptionWords(target, text) {
  if (target.textContent === text) return;
  const parts = text.split(/(--[a-z-]+)/);
  target.replaceChildren(...parts.map((part, place) => (place % 2 ? element('span', { class: 'option' }, part) : part)));
}
