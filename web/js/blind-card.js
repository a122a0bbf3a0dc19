import { BlindComparison } from './blind-comparison.js';
import { element, setText } from './element.js';
import { card } from './group.js';

/**
 * The card of the blind comparison of a listener's methods.
 *
 * While it runs, what would give X away is hidden: the method's control and the weights on the ring.
 */
export function blindCard(page, method) {
  const body = element('div', { class: 'blind-body' });
  let comparison = null;
  const picks = [page.values.of(method)[0] ?? method.choices.at(-1), method.choices[0]].map((initial, index) => element('select', {
    'aria-label': `Method ${'AB'[index]}`,
  }, method.choices.map((name) => element('option', { value: name, selected: name === initial }, name))));

  const hear = (letter) => page.send(method, [comparison.turn(letter)]);
  const key = (event) => {
    const letter = event.key.toUpperCase();
    if (!'ABX'.includes(letter) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input[type="text"], input[type="number"], select')) return;
    const button = body.querySelector(`input[value="${letter}"]`);
    if (button) button.click();
  };
  const hide = (isHidden) => {
    document.body.classList.toggle('is-blind', isHidden);
    if (isHidden) window.addEventListener('keydown', key);
    else window.removeEventListener('keydown', key);
  };
  page.onEnd(() => hide(false));

  function start() {
    comparison = new BlindComparison(picks[0].value, picks[1].value);
    hide(true);
    showTrial();
  }

  function stop() {
    hide(false);
    page.send(method, [comparison.a]);
    showResult();
  }

  function answer(letter) {
    comparison.answer(letter);
    showTrial();
  }

  function showStart() {
    body.replaceChildren(
      element('div', { class: 'blind-picks' },
        element('label', {}, 'A', picks[0]), element('label', {}, 'B', picks[1])),
      element('button', { type: 'button', class: 'plain', onclick: start }, 'Start comparison'));
  }

  function showTrial() {
    const segment = (letter) => element('label', { class: 'segment' },
      element('input', {
        type: 'radio', name: 'blind', value: letter, checked: letter === 'A', onchange: () => hear(letter),
      }),
      element('span', {}, letter));
    const count = comparison.answers.length;
    body.replaceChildren(
      element('p', { class: 'help', role: 'status' },
        `Trial ${count + 1}. Switch between A, B and X by hand or by the keys A, B, X; then say which one X is.`),
      element('div', { class: 'segments', role: 'radiogroup', 'aria-label': 'What is heard' }, ['A', 'B', 'X'].map(segment)),
      element('div', { class: 'blind-answers' },
        ...['A', 'B'].map((letter) =>
          element('button', { type: 'button', class: 'plain', onclick: () => answer(letter) }, `X is ${letter}`))),
      element('button', { type: 'button', class: 'plain', onclick: stop }, count ? 'End and show the result' : 'Cancel'));
    hear('A');
  }

  function showResult() {
    const { answers, right, guessing } = comparison;
    if (answers.length === 0) {
      showStart();
      return;
    }
    const words = element('p', { role: 'status' });
    setText(words, `${right} of ${answers.length} right (${comparison.a} against ${comparison.b}). `
      + `Guessing alone does as well in ${(guessing * 100).toPrecision(2)} % of all comparisons.`);
    const file = URL.createObjectURL(new Blob([comparison.csv], { type: 'text/csv' }));
    page.onEnd(() => URL.revokeObjectURL(file));
    body.replaceChildren(words,
      element('div', { class: 'blind-answers' },
        element('a', { class: 'plain', href: file, download: 'blind-comparison.csv' }, 'Save answers (CSV)'),
        element('button', { type: 'button', class: 'plain', onclick: showStart }, 'Another')));
  }

  showStart();
  return card('Blind comparison', 'Is there a difference to be heard? X is one of the two, and only the page knows which.', body);
}
