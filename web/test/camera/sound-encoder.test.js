import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SoundEncoder } from '../../js/camera/sound-encoder.js';

/** A browser whose worklets load when the test says so. */
class FakeWorld {
  contexts = [];
  nodes = [];
  failures = [];
  AudioEncoder = class {
    state = 'unconfigured';
    configure() { this.state = 'configured'; }
    close() { this.state = 'closed'; }
  };
  MediaStream = class {};
  constructor() {
    const world = this;
    this.AudioContext = class {
      audioWorklet = { addModule: () => new Promise((loaded, failed) => Object.assign(this, { loaded, failed })) };
      constructor() { world.contexts.push(this); }
      createMediaStreamSource() { return { connect: () => {} }; }
      async resume() {}
      close() { this.isClosed = true; }
    };
    this.AudioWorkletNode = class {
      port = {};
      constructor(context) { world.nodes.push(context); }
    };
  }
}

test('a microphone that is stopped and started while its worklet loads is encoded once', async () => {
  const world = new FakeWorld();
  const sounds = new SoundEncoder({ frame: () => {}, failed: (text) => world.failures.push(text), clock: () => 0 }, world);
  const first = sounds.start({});
  sounds.stop();
  const second = sounds.start({});
  const [one, two] = world.contexts;
  two.loaded();
  await second;
  one.loaded();
  await first;
  assert.deepEqual(world.nodes, [two]);
  assert.equal(one.isClosed, true);
  // The former one does not end the current one.
  const third = sounds.start({});
  await third;
  sounds.stop();
  const fourth = sounds.start({});
  sounds.stop();
  sounds.start({});
  world.contexts[2].failed(new Error('gone'));
  await fourth;
  assert.deepEqual([world.failures, sounds.isOn], [[], true]);
});
