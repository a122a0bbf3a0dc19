import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListenerSound } from '../../js/playback/listener-sound.js';
import { SceneListening } from '../../js/scene/scene-listening.js';

/** A change of rendering fades the former sound out, also when that has ended by itself. */
for (const Sound of [ListenerSound, SceneListening]) {
  test(`${Sound.name}: the volume of a sound that has ended may be set`, () => {
    const sound = new Sound('1', 48_000, {});
    const set = [];
    sound.context = { currentTime: 0, close() {} };
    sound.gain = { gain: { setTargetAtTime: (value) => set.push(value) } };
    sound.setVolume(0.5);
    sound.stop();
    sound.setVolume(0);
    assert.deepEqual(set, [0.25]);
    assert.equal(sound.volume, 0);
  });
}
