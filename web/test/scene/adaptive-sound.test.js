import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdaptiveSound } from '../../js/listen/players/adaptive-sound.js';
import { ModeChoice } from '../../js/listen/players/mode-choice.js';

const calm = { playing: true, concealedMilliseconds: 0, off: null, origin: 1, stream: { format: 'scene', profile: 'full' } };

/** A sound on a stage of which everything is noted; `failing` names the mode whose sounds do not start. */
function world(failing = null) {
  const made = { sounds: [], ended: [], fades: [], stages: 0, closed: 0, now: 0, timers: new Map() };
  const parts = {
    stage: () => {
      made.stages += 1;
      return {
        context: {}, now: 0, entrance: (gain) => ({ gain, disconnect() {} }), close: () => { made.closed += 1; },
        fade: (node, isIn, isAlike) => made.fades.push({ isIn, isAlike }),
      };
    },
    sound: (mode, name, rate, told) => {
      const sound = {
        mode, told, isStopped: false, aligned: [], followed: [], isPaused: false,
        setVolume() {}, setHead() {}, stop() { sound.isStopped = true; },
        start: async () => { if (mode === failing) throw new Error('no sound'); },
        align: (origin) => sound.aligned.push(origin), follow: (origin) => sound.followed.push(origin),
        ...(mode === 'client' ? { pause: () => { sound.isPaused = true; }, resume: () => { sound.isPaused = false; } } : {}),
      };
      made.sounds.push(sound);
      return sound;
    },
    now: () => made.now,
    setTimeout: (action, after) => {
      made.timers.set(action, made.now + after);
      return action;
    },
    clearTimeout: (timer) => made.timers.delete(timer),
  };
  const told = {
    report() {}, waiting() {}, changed() {}, joined() {}, ended: (reason, isFinal) => made.ended.push({ reason, isFinal }),
  };
  const choice = new ModeChoice(null);
  const adaptive = new AdaptiveSound('join', 48_000, told, null, choice, parts);
  const pass = (milliseconds) => {
    made.now += milliseconds;
    for (const [action, due] of [...made.timers]) {
      if (due > made.now) continue;
      made.timers.delete(action);
      action();
    }
  };
  const open = () => made.sounds.filter(({ isStopped }) => !isStopped).map(({ mode }) => mode);
  return { ...made, made, adaptive, choice, pass, open };
}

const settle = () => new Promise((done) => setImmediate(done));

test('a client that was ended by another one does not come back in another mode', async () => {
  const { adaptive, made, open } = world();
  await adaptive.start();
  made.sounds[0].told.ended('Another client ended the sound of this listener.', true);
  assert.deepEqual([open(), made.ended.length, made.ended[0].isFinal, made.closed], [[], 1, true, 1]);
  // Other ends of the browser's own rendering lead to the engine.
  const other = world();
  await other.adaptive.start();
  other.made.sounds[0].told.ended('The renderer has stopped.');
  assert.deepEqual([other.open().includes('server'), other.made.ended], [true, []]);
});

test('a mode that does not begin is tried again later and later, and leaves nothing open', async () => {
  const { adaptive, made, choice, pass, open } = world('server');
  await adaptive.start();
  choice.set({ method: 'personal' });
  for (let report = 0; report < 1200; report += 1) {
    pass(100);
    made.sounds[0].told.report(calm);
    await settle();
  }
  const begun = made.sounds.length - 1;
  assert.ok(begun >= 4 && begun <= 7, `${begun} attempts in two minutes`);
  assert.deepEqual([open(), made.stages, made.ended], [['client'], 1, []]);
  assert.equal(made.timers.size, 0);
  adaptive.stop();
  assert.deepEqual([open(), made.closed], [[], 1]);
});

test('when neither mode is left, the sound ends with the reason', async () => {
  const { adaptive, made, open } = world('server');
  await adaptive.start();
  made.sounds[0].told.ended('The renderer has stopped.');
  await settle();
  assert.deepEqual([open(), made.ended.map(({ reason }) => reason), made.closed], [[], ['no sound'], 1]);
});

test('the new sound is brought to the time of the present one before the crossfade', async () => {
  const { adaptive, made, choice, pass, open } = world();
  await adaptive.start();
  choice.set({ method: 'personal' });
  const report = (number, origin) => made.sounds[number].told.report({ ...calm, origin });
  report(0, 1);
  // The new one could play earlier: it is placed later.
  report(1, 0.99);
  assert.deepEqual(made.sounds[1].aligned, [1]);
  pass(300);
  report(0, 1);
  report(1, 1.00001);
  assert.deepEqual(made.fades, [{ isIn: true, isAlike: true }, { isIn: false, isAlike: true }]);
  pass(400);
  assert.deepEqual([open(), made.sounds[1].followed], [['server'], [null]]);
  // The way back needs more time than there is: the present one becomes later first.
  choice.set({ method: 'ring' });
  report(1, 1);
  report(2, 1.012);
  assert.equal(made.sounds[2].aligned.length, 0);
  assert.ok(Math.abs(made.sounds[1].followed.at(-1) - 1.017) < 1e-9);
  pass(300);
  report(1, 1.02);
  report(2, 1.012);
  assert.deepEqual(made.sounds[2].aligned, [1.02]);
});

test('a place for which the packets come too late is given up, and so are sounds that stay apart', async () => {
  const { adaptive, made, choice, pass } = world();
  await adaptive.start();
  choice.set({ method: 'personal' });
  const report = (number, numbers) => made.sounds[number].told.report({ ...calm, ...numbers });
  report(0, { origin: 1 });
  report(1, { origin: 0.99 });
  for (let i = 0; i < 12; i += 1) {
    pass(100);
    report(0, { origin: 1 });
    report(1, { playing: false, origin: null });
  }
  assert.deepEqual(made.sounds[1].followed, [null]);
  report(1, { origin: 1.02 });
  assert.deepEqual(made.fades.map(({ isAlike }) => isAlike), [false, false]);
});

test('a network that broke down is left to the new sound alone', async () => {
  const { adaptive, made, pass } = world();
  await adaptive.start();
  const [client] = made.sounds;
  for (let i = 0; i < 20; i += 1) {
    pass(100);
    client.told.report(calm);
  }
  for (let i = 1; i <= 18; i += 1) {
    pass(100);
    client.told.report({ ...calm, concealedMilliseconds: 100 * i, playing: i < 4 });
  }
  assert.deepEqual([made.sounds.length, client.isPaused, made.sounds[1]?.mode], [2, true, 'server']);
  made.sounds[1].told.report({ ...calm, stream: { format: 'opus' } });
  assert.equal(adaptive.mode, 'server');
});
