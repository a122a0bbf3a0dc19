import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptStage } from '../../js/listen/players/kept-stage.js';

function world() {
  const state = { made: [], timers: [] };
  const make = (rate, interrupted, isWanted) => {
    const stage = { rate, interrupted, isWanted, isClosed: false, calls: [], close: () => { stage.isClosed = true; } };
    stage.context = { resume: async () => stage.calls.push('resume'), suspend: async () => stage.calls.push('suspend') };
    state.made.push(stage);
    return stage;
  };
  const timers = {
    setTimeout: (action) => state.timers.push(action) - 1, clearTimeout: (timer) => { if (timer !== null) state.timers[timer] = () => {}; },
  };
  return { state, kept: new KeptStage(timers, make), rest: () => state.timers.splice(0).forEach((action) => action()) };
}

test('players of one rate follow each other in one context, and one of another rate gets its own', () => {
  const { state, kept, rest } = world();
  const events = [];
  const first = kept.take(48_000, (isMissing) => events.push(['first', isMissing]));
  first.close();
  const second = kept.take(48_000, (isMissing) => events.push(['second', isMissing]), () => false);
  rest();
  assert.equal(first.context, second.context);
  assert.deepEqual(state.made[0].calls, ['resume', 'resume']);
  state.made[0].interrupted(true);
  assert.deepEqual([events, state.made[0].isWanted()], [[['second', true]], false]);
  // A player that has ended already gives nothing back that another one has.
  first.close();
  rest();
  second.close();
  rest();
  assert.deepEqual(state.made[0].calls, ['resume', 'resume', 'suspend']);
  const third = kept.take(44_100);
  assert.deepEqual([state.made.length, state.made[0].isClosed, third.context === first.context], [2, true, false]);
});
