/** A text of the engine as a sentence, with a capital and a full stop; empty for none. */
export function sentence(text) {
  return text ? `${text[0].toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, '.') : '';
}
