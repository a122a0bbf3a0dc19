import { card } from '../shared/controls/card.js';
import { element, setText } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { setOptionWords } from '../shared/drawing/option-words.js';
import { sentence } from '../shared/numbers/sentence.js';
import { roles } from '../shared/tree/roles.js';

/** The engine that this one follows: whether it is there, and how close together both play. */
export default {
  topic: 'engine',
  needs: [roles.followEngine, roles.followState, roles.followProblem, roles.followDifference],
  shows: [
    roles.followEngine, roles.followState, roles.followProblem, roles.followFetching, roles.followDifference, roles.followRoundTrip,
  ],
  owns: 'container',
  make: followCard,
};

/** The state in a sentence. */
export function followWords(engine, state) {
  switch (state) {
    case 'waiting': return `Waiting for ${engine}. Until then this engine keeps its current state.`;
    case 'following': return `Follows ${engine}: its session, scenes and transport are mirrored here.`;
    default: return 'No engine is followed. Start this engine with --mqtt and --follow to mirror another one.';
  }
}

/** The measured difference of both engines in words; empty before the first measurement. */
export function differenceWords(difference, roundTrip) {
  if (!(roundTrip > 0)) return '';
  const milliseconds = Math.abs(difference).toFixed(2);
  const side = difference > 0.005 ? ' later' : difference < -0.005 ? ' earlier' : '';
  return `The recording is heard ${milliseconds} ms${side || ' apart'}${side ? ' here' : ''}. Clocks are compared through the broker, `
    + `${roundTrip.toFixed(2)} ms there and back.`;
}

function followCard(page, [engine, state, problem, difference]) {
  const roundTrip = page.root.find(roles.followRoundTrip);
  const fetching = page.root.find(roles.followFetching);
  const sign = element('span', { class: 'device-sign' }, icon('warning', 18));
  const words = element('p', {});
  const reason = element('p', { class: 'help' });
  const status = element('div', { class: 'device-state', role: 'status' }, sign, words, reason);
  const measured = element('p', { class: 'help' });
  const value = (node) => (node ? page.values.of(node)[0] : undefined);

  function show() {
    const isFollowing = value(state) === 'following';
    setOptionWords(words, followWords(value(engine) ?? '', value(state)));
    setText(reason, value(problem) || !value(fetching) ? sentence(value(problem)) : `Fetching ${value(fetching)}.`);
    sign.hidden = !value(problem);
    status.classList.toggle('is-lost', Boolean(value(problem)));
    setText(measured, isFollowing ? differenceWords(value(difference) ?? 0, value(roundTrip) ?? 0) : '');
    measured.hidden = measured.textContent === '';
  }

  for (const node of [engine, state, problem, fetching, difference, roundTrip]) if (node) page.watch(node, show);
  return card('Followed engine', 'Mirrors another engine through the broker, so that both play in synchrony.',
    element('div', { class: 'device' }, status, measured));
}
