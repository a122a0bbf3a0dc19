import { ABXTrial } from '../listening-test/abx-trial.js';
import { PassageBar } from '../listening-test/passage-bar.js';
import { TestSocket } from '../listening-test/test-socket.js';
import { card } from '../shared/controls/card.js';
import { element, setText } from '../shared/drawing/element.js';
import { roles } from '../shared/tree/roles.js';

/**
 * Quick A/B/X comparison of two methods of a listener, with the recording from where it is.
 *
 * The engine draws X, switches, and matches loudness and latency; the card learns which one X was when the comparison has ended.
 */
export default {
  topic: 'head',
  needs: [roles.testPair, roles.testCompare, roles.testResult, roles.testStop, roles.testRunning, roles.testListener, roles.testState],
  shows: [roles.testPair, roles.testCompare, roles.testResult],
  make: abxCard,
};

function abxCard(page, [pair, compare, result, stop, running, number, state], { listener, world }) {
  const method = listener?.method;
  // Listening tests are for listeners of the sound device.
  const wired = page.values.number(page.root.find(roles.listenerWired), Infinity);
  if (!(method?.choices?.length > 1) || Number(listener.name) > wired) return null;
  const body = element('div', { class: 'abx-body' });
  const picks = [page.values.of(method)[0] ?? method.choices.at(-1), method.choices[0]].map((initial, index) => element('select', {
    'aria-label': `Method ${'AB'[index]}`,
  }, method.choices.map((name) => element('option', { value: name, selected: name === initial }, name))));
  const choices = element('div', { class: 'abx-picks' }, picks.map((pick, index) => element('label', {}, 'AB'[index], pick)));
  const words = element('p', { role: 'status' });
  const start = element('button', { type: 'button', class: 'plain', onclick: () => {
    const names = picks.map((pick) => pick.value).join(' ');
    page.sendTogether([[number, [Number(listener.name)]], [pair, [names]], [compare, []]]);
  } }, 'Start comparison');
  const help = element('p', { class: 'help', role: 'status' });
  const end = element('button', { type: 'button', class: 'plain', onclick: () => page.send(stop, []) }, 'Stop and show the result');
  let trial = null;
  let shown = '';
  const send = (order) => {
    socket.send(order);
    // Every answer is the end of its trial.
    if (order.type === 'answer') socket.send({ type: 'next' });
  };
  const bar = new PassageBar(send);
  const socket = new TestSocket(world, {
    view: show, position: (seconds) => bar.move(seconds), problem: (text) => setText(help, text), state: () => {},
  });

  function show(view) {
    if (!view.isQuick || view.phase === 'complete') return;
    if (view.phase === 'ready' && !view.isBegun) socket.send({ type: 'start' });
    if (view.phase !== 'trial') {
      setText(help, 'The engine measures the loudness of both methods.');
      place('preparing', help, end);
      return;
    }
    if (place(`trial ${view.trial}`)) {
      trial = new ABXTrial(view, send);
      setText(help, `Trial ${view.trial}. Switch between A, B and X with the buttons or the keys A, B and X, then choose which one X is. `
        + 'At the end you see which method is A and which is B.');
      body.replaceChildren(help, trial.element, bar.element, end);
    }
    trial.show(view);
    bar.show(view);
  }

  /** Fills the card with the parts of a state; false when it shows them already. */
  function place(name, ...parts) {
    if (shown === name) return false;
    shown = name;
    trial = null;
    body.replaceChildren(...parts);
    return true;
  }

  const key = (event) => {
    if (!trial || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.target.closest('input, select, textarea')) return;
    if (trial.key(event)) event.preventDefault();
  };
  window.addEventListener('keydown', key);
  page.onEnd(() => {
    window.removeEventListener('keydown', key);
    socket.stop();
  });
  page.watch(running, ([isRunning]) => {
    start.disabled = Boolean(isRunning);
    if (isRunning) {
      socket.start();
    } else {
      socket.stop();
      place('idle', words, choices, start);
    }
  });
  page.watch(result, ([text]) => {
    setText(words, text ?? '');
    words.hidden = !text;
  });
  page.watch(state, ([text]) => start.setAttribute('title', start.disabled ? `A test is running: ${text}` : ''));
  return card('ABX comparison',
    'A quick check whether you hear a difference between two methods. X is A or B, drawn at random for each trial. The engine matches '
    + 'loudness and latency, hides all clues to X, and stores the answers under “Listening test”, Results.', body);
}
