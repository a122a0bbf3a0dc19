/**
 * A field that shows a value which may change at any time, and leaves alone what a person is typing into it.
 *
 * `text()` is what to show; `commit(typed)` is called when the person is done.
 * Returns what to call when the value changes.
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

/** The numbers that were typed, one after the other; null when any is none. Nothing typed is no number at all. */
export function typedRow(text) {
  const numbers = text.trim().split(/[\s;]+/).filter(Boolean).map(typedNumber);
  return numbers.includes(null) ? null : numbers;
}

/** The number that was typed, a decimal comma allowed; null when it is none. */
export function typedNumber(text) {
  const number = Number(text.trim().replace('−', '-').replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(number) ? number : null;
}
