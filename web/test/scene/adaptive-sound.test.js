import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdaptiveSound } from '../../js/listen/players/adaptive-sound.js';
import { ModeChoice } from '../../js/listen/players/mode-choice.js';

const calm = { playing: true, concealedMilliseconds: 0, off: null, origin: 1, stream: { format: 'scene', profile: 'full' } };

/** A sound on a stage of which everything is noted; `failing` names the mode whose sounds do not start. */
function world(failing = null) {
  const made = { sounds: [], ended: [], fades: [], stages: 0, closed: 0, now: 0, isLive: true, timers: new Map() };
  const parts = {
    stage: () => {
      made.stages += 1;
      return {
        context: {}, now: 0, entrance: (gain) => ({ gain, disconnect() {} }), close: () => { made.closed += 1; },
        fade: (node, isIn, isAlike) => made.fades.push({ isIn, isAlike }),
      };
    },
    sound: (mode, name, rate, events, place) => {
      const sound = {
        mode, events, place, isStopped: false, aligned: [], followed: [], isPaused: false,
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
  const events = {
    report() {}, waiting() {}, changed() {}, joined() {}, isRefused: () => made.isLive,
    ended: (reason, isFinal) => made.ended.push({ reason, isFinal }),
  };
  const choice = new ModeChoice(null);
  const adaptive = new AdaptiveSound('join', 48_000, events, null, choice, parts);
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
  made.sounds[0].events.ended('Another client ended the sound of this listener.', true);
  assert.deepEqual([open(), made.ended.length, made.ended[0].isFinal, made.closed], [[], 1, true, 1]);
  // Other ends of the browser's own rendering lead to the engine.
  const other = world();
  await other.adaptive.start();
  other.made.sounds[0].events.ended('The renderer has stopped.');
  assert.deepEqual([other.open().includes('server'), other.made.ended], [true, []]);
});

test('a mode that does not begin is tried again later and later, and leaves nothing open', async () => {
  const { adaptive, made, choice, pass, open } = world('server');
  await adaptive.start();
  choice.set({ method: 'hrtf' });
  for (let report = 0; report < 1200; report += 1) {
    pass(100);
    made.sounds[0].events.report(calm);
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
  made.sounds[0].events.ended('The renderer has stopped.');
  await settle();
  assert.deepEqual([open(), made.ended.map(({ reason }) => reason), made.closed], [[], ['no sound'], 1]);
});

test('the new sound is brought to the time of the current one before the crossfade', async () => {
  const { adaptive, made, choice, pass, open } = world();
  await adaptive.start();
  choice.set({ method: 'hrtf' });
  const report = (number, origin) => made.sounds[number].events.report({ ...calm, origin });
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
  // The way back needs more time than there is: the current one becomes later first.
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
  choice.set({ method: 'hrtf' });
  const report = (number, numbers) => made.sounds[number].events.report({ ...calm, ...numbers });
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
    client.events.report(calm);
  }
  for (let i = 1; i <= 18; i += 1) {
    pass(100);
    client.events.report({ ...calm, concealedMilliseconds: 100 * i, playing: i < 4 });
  }
  assert.deepEqual([made.sounds.length, client.isPaused, made.sounds[1]?.mode], [2, true, 'server']);
  made.sounds[1].events.report({ ...calm, stream: { format: 'opus' } });
  assert.equal(adaptive.mode, 'server');
});

/** A page whose network broke down, and is tried again after a minute. */
function tried() {
  const all = world();
  const { adaptive, made, choice, pass } = all;
  const server = { ...calm, stream: { format: 'opus' } };
  const begin = async () => {
    await adaptive.start();
    choice.giveUp(0);
    made.sounds[0].events.report(calm);
    made.sounds[1].events.report(server);
    for (let seconds = 0; seconds < 61; seconds += 1) {
      pass(1000);
      made.sounds[1].events.report(server);
    }
  };
  return { ...all, server, begin };
}

test('an attempt that does not begin leaves the sound that is heard alone, and comes later again', async () => {
  const { adaptive, made, choice, pass, open, server, begin } = tried();
  await begin();
  assert.deepEqual(open(), ['server', 'client']);
  assert.deepEqual(made.sounds.map(({ place }) => place.isNarrow), [false, true, true], 'another attempt begins with little');
  for (let seconds = 0; seconds < 100; seconds += 1) {
    pass(1000);
    made.sounds[1].events.report(server);
    if (!made.sounds[2].isStopped) made.sounds[2].events.report({ ...calm, playing: false });
  }
  assert.deepEqual([open(), adaptive.mode, made.sounds.length], [['server'], 'server', 3]);
  assert.match(choice.reason, /network does not carry/);
  for (let seconds = 0; seconds < 30; seconds += 1) {
    pass(1000);
    made.sounds[1].events.report(server);
  }
  assert.equal(made.sounds.length, 4, 'the next attempt after two minutes');
  made.sounds[3].events.report(calm);
  for (let i = 0; i < 40 && adaptive.mode !== 'client'; i += 1) {
    pass(100);
    made.sounds[1].events.report(server);
    made.sounds[3].events.report(calm);
  }
  assert.equal(adaptive.mode, 'client');
});

test('an attempt that costs the sound that is heard ends at once', async () => {
  const { made, pass, open, choice, server, begin } = tried();
  await begin();
  for (let i = 1; i <= 3; i += 1) {
    pass(100);
    made.sounds[1].events.report({ ...server, concealedMilliseconds: 100 * i });
  }
  assert.deepEqual(open(), ['server', 'client']);
  for (let i = 4; i <= 6; i += 1) {
    pass(100);
    made.sounds[1].events.report({ ...server, concealedMilliseconds: 100 * i });
  }
  assert.deepEqual(open(), ['server']);
  assert.match(choice.reason, /network does not carry/);
});

test('an attempt takes the place of a sound that has ended', async () => {
  const { adaptive, made, pass, open, begin } = tried();
  await begin();
  made.sounds[1].events.ended('The engine has no sound.');
  pass(9000);
  assert.deepEqual([adaptive.mode, open().includes('client'), made.ended], ['client', true, []]);
});

test('a scene that the engine refuses while it is there is rendered by the engine; one that is away is waited for', async () => {
  const { adaptive, made, open } = world();
  await adaptive.start();
  made.isLive = false;
  for (let closings = 1; closings < 9; closings += 1) made.sounds[0].events.waiting(closings);
  assert.deepEqual([open(), adaptive.reason], [['client'], null]);
  made.isLive = true;
  for (let closings = 1; closings < 4; closings += 1) made.sounds[0].events.waiting(closings);
  assert.deepEqual(open(), ['client']);
  made.sounds[0].events.waiting(4);
  made.sounds[1].events.report(calm);
  assert.deepEqual([adaptive.mode, adaptive.reason], ['server', 'the engine does not send the scene']);
});
