import { ABXTest } from './abx-test.js';
import { element, setText } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { roles } from '../shared/tree/roles.js';

/**
 * ABX comparison of two methods of a listener.
 *
 * While it runs, the method's control and the weights on the ring are hidden, because they would give X away.
 */
export default { topic: 'head', needs: [roles.method], shows: [], make: abxCard };

function abxCard(page, nodes, { listener }) {
  const method = listener?.method;
  if (!(method?.choices?.length > 1)) return null;
  const body = element('div', { class: 'abx-body' });
  let comparison = null;
  const picks = [page.values.of(method)[0] ?? method.choices.at(-1), method.choices[0]].map((initial, index) => element('select', {
    'aria-label': `Method ${'AB'[index]}`,
  }, method.choices.map((name) => element('option', { value: name, selected: name === initial }, name))));

  const hear = (letter) => page.send(method, [comparison.switchTo(letter)]);
  const key = (event) => {
    const letter = event.key.toUpperCase();
    if (!'ABX'.includes(letter) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input[type="text"], input[type="number"], select')) return;
    const button = body.querySelector(`input[value="${letter}"]`);
    if (button) button.click();
  };
  const hide = (isHidden) => {
    document.body.classList.toggle('is-abx-running', isHidden);
    if (isHidden) window.addEventListener('keydown', key);
    else window.removeEventListener('keydown', key);
  };
  page.onEnd(() => hide(false));

  function start() {
    comparison = new ABXTest(picks[0].value, picks[1].value);
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
      element('div', { class: 'abx-picks' },
        element('label', {}, 'A', picks[0]), element('label', {}, 'B', picks[1])),
      element('button', { type: 'button', class: 'plain', onclick: start }, 'Start comparison'));
  }

  function showTrial() {
    const segment = (letter) => element('label', { class: 'segment' },
      element('input', {
        type: 'radio', name: 'abx', value: letter, checked: letter === 'A', onchange: () => hear(letter),
      }),
      element('span', {}, letter));
    const count = comparison.answers.length;
    body.replaceChildren(
      element('p', { class: 'help', role: 'status' },
        `Trial ${count + 1}. Switch between A, B and X with the buttons or the keys A, B and X, then choose which one X is.`),
      element('div', { class: 'segments', role: 'radiogroup', 'aria-label': 'Sound' }, ['A', 'B', 'X'].map(segment)),
      element('div', { class: 'abx-answers' },
        ...['A', 'B'].map((letter) =>
          element('button', { type: 'button', class: 'plain', onclick: () => answer(letter) }, `X is ${letter}`))),
      element('button', { type: 'button', class: 'plain', onclick: stop }, count ? 'Stop and show the result' : 'Cancel'));
    hear('A');
  }

  function showResult() {
    const { answers, right, guessing } = comparison;
    if (answers.length === 0) {
      showStart();
      return;
    }
    const words = element('p', { role: 'status' });
    setText(words, `${right} of ${answers.length} correct (${comparison.a} against ${comparison.b}). `
      + `The probability of at least as many correct answers by guessing is ${(guessing * 100).toPrecision(2)} %.`);
    const file = URL.createObjectURL(new Blob([comparison.csv], { type: 'text/csv' }));
    page.onEnd(() => URL.revokeObjectURL(file));
    body.replaceChildren(words,
      element('div', { class: 'abx-answers' },
        element('a', { class: 'plain', href: file, download: 'abx-comparison.csv' }, 'Save answers (CSV)'),
        element('button', { type: 'button', class: 'plain', onclick: showStart }, 'New comparison')));
  }

  showStart();
  return card('ABX comparison',
    'A quick check whether you hear a difference between two methods. X is A or B, chosen at random for each trial. It sets the method as '
    + 'its control does: loudness and latency are not matched, and meters may tell X. Results to publish need the card '
    + '“Listening test”.', body);
}
