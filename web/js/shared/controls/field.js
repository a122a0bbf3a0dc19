/**
 * Makes a field show a value that may change at any time, without overwriting text that is being typed.
 *
 * `text()` returns the text to show; `commit(typed)` is called when typing ends.
 * Returns a function to call when the value changes.
 */
export function editable(field, text, commit) {
  let isTyping = false;
  const show = () => {
    if (!isTyping) field.value = text();
  };
  const done = () => {
    isTyping = false;
    show();
  };
  field.addEventListener('input', () => { isTyping = true; });
  field.addEventListener('blur', done);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') done();
  });
  field.addEventListener('change', () => {
    const typed = field.value;
    isTyping = false;
    if (typed !== '') commit(typed);
    show();
  });
  return show;
}

/** The numbers of a typed text, separated by blanks; null when any is not a number. An empty text gives an empty list. */
export function typedRow(text) {
  const numbers = text.trim().split(/[\s;]+/).filter(Boolean).map(typedNumber);
  return numbers.includes(null) ? null : numbers;
}

/** The number of a typed text, with a decimal point or comma; null when it is not a number. */
export function typedNumber(text) {
  const number = Number(text.trim().replace('−', '-').replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(number) ? number : null;
}
