import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GroupRecording } from '../../js/listen/engine/group-recording.js';
import { roles } from '../../js/shared/tree/roles.js';

/** An engine with three groups, and a page that is sent elsewhere. */
function world() {
  const state = { group: 2, recordings: ['', '', ''], isJoined: true, sent: [] };
  const nodes = state.recordings.map((_, index) => ({ index }));
  const engine = {
    isLive: true, root: { findAll: (role) => (role === roles.groupRecording ? nodes : []) },
    own: (role) => (state.isJoined && role === roles.listenerGroup ? 'group' : null),
    values: { of: ({ index }) => [state.recordings[index]], number: () => state.group },
  };
  return { state, engine, group: new GroupRecording(engine, (name) => state.sent.push(name)) };
}

test('a page plays the recording of its group, also after its listener has gone, and returns', () => {
  const { state, group } = world();
  group.look(null);
  state.recordings[0] = 'street';
  group.look(null);
  assert.deepEqual(state.sent, [], 'that of another group');
  state.recordings[1] = 'hall';
  group.look(null);
  state.isJoined = false;
  group.look('hall');
  assert.deepEqual(state.sent, ['hall']);
  state.recordings[1] = 'church';
  group.look('hall');
  group.look('church');
  state.recordings[1] = '';
  group.look('church');
  assert.deepEqual(state.sent, ['hall', 'church', null]);
});

test('a page that somebody has sent elsewhere by hand, and an engine that is away, stay as they are', () => {
  const { state, engine, group } = world();
  state.recordings[1] = 'hall';
  engine.isLive = false;
  group.look(null);
  assert.deepEqual(state.sent, []);
  engine.isLive = true;
  group.look(null);
  // Another recording was chosen on the page, or none.
  group.look('street');
  group.look(undefined);
  state.recordings[1] = '';
  group.look('street');
  assert.deepEqual(state.sent, ['hall']);
});

test('a page follows the group that its listener is moved to while it plays a recording', () => {
  const { state, group } = world();
  group.look(null);
  state.recordings[1] = 'hall';
  state.recordings[2] = 'church';
  group.look(null);
  state.group = 3;
  group.look('hall');
  assert.deepEqual(state.sent, ['hall', 'church']);
});
