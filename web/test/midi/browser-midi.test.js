import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrowserMidi } from '../../js/midi/browser-midi.js';

/** Devices of a browser; `play` is called by the device `Knobs`. */
function devices() {
  const knobs = { name: 'Knobs', state: 'connected', onmidimessage: null };
  const access = { inputs: new Map([['1', knobs]]), onstatechange: null };
  return { access, knobs, play: (...data) => knobs.onmidimessage?.({ data: Uint8Array.from(data) }) };
}

test('channel messages are passed on as three numbers; clock and system messages are not', async () => {
  const sent = [];
  const { access, play } = devices();
  const midi = new BrowserMidi((bytes) => sent.push(bytes), { requestMIDIAccess: async () => access });
  play(0xb0, 7, 1);
  await midi.start();
  assert.deepEqual([midi.state, midi.names], ['on', ['Knobs']]);
  play(0xb0, 7, 100);
  play(0xc0, 5);
  for (const message of [[0xf8], [0xf0, 1, 2, 0xf7], [0xfe], []]) play(...message);
  assert.deepEqual(sent, [[0xb0, 7, 100], [0xc0, 5, 0]]);
  midi.stop();
  play(0xb0, 7, 1);
  assert.equal(sent.length, 2);
  assert.equal(midi.state, 'off');
});

test('devices that are plugged in later are heard, and those that were unplugged are not named', async () => {
  const sent = [];
  const { access, knobs } = devices();
  const midi = new BrowserMidi((bytes) => sent.push(bytes), { requestMIDIAccess: async () => access });
  let changes = 0;
  midi.onChange = () => { changes += 1; };
  await midi.start();
  const pedal = { name: 'Pedal', state: 'connected', onmidimessage: null };
  access.inputs.set('2', pedal);
  knobs.state = 'disconnected';
  access.onstatechange();
  pedal.onmidimessage({ data: Uint8Array.of(0xe0, 0, 64) });
  assert.deepEqual([midi.names, sent, changes], [['Pedal'], [[0xe0, 0, 64]], 2]);
});

test('a browser without Web MIDI, and one that refuses it', async () => {
  const missing = new BrowserMidi(() => {}, {});
  await missing.start();
  assert.equal(missing.state, 'missing');
  const refused = new BrowserMidi(() => {}, { requestMIDIAccess: async () => { throw new Error('no'); } });
  await refused.start();
  assert.equal(refused.state, 'refused');
});
