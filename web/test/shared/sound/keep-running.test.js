import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepRunning } from '../../../js/shared/sound/keep-running.js';

/** A context and a page as far as the function uses them. */
function world() {
  const context = new EventTarget();
  const page = new EventTarget();
  Object.assign(context, { state: 'running', asked: 0, allows: true, resume: () => {
    context.asked += 1;
    if (!context.allows) return Promise.reject(new Error('not allowed'));
    context.enter('running');
    return Promise.resolve();
  } });
  context.enter = (state) => {
    context.state = state;
    context.dispatchEvent(new Event('statechange'));
  };
  Object.assign(page, { document: new EventTarget(), navigator: { mediaDevices: new EventTarget() } });
  return { context, page };
}

test('a sound that is interrupted comes back at once, or at the next chance', () => {
  const { context, page } = world();
  const events = [];
  const end = keepRunning(context, () => true, (isMissing) => events.push(isMissing), page);
  context.enter('interrupted');
  assert.equal(context.state, 'running');
  context.allows = false;
  context.enter('suspended');
  assert.equal(context.state, 'suspended');
  context.allows = true;
  page.navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
  assert.equal(context.state, 'running');
  context.allows = false;
  context.enter('suspended');
  context.allows = true;
  page.document.dispatchEvent(new Event('pointerdown'));
  assert.equal(context.state, 'running');
  assert.deepEqual([events[0], events.at(-1)], [true, false]);
  end();
  context.enter('suspended');
  assert.equal(context.state, 'suspended');
});

test('a pause that is wanted, and a context that is closed, are left alone', () => {
  const { context, page } = world();
  keepRunning(context, () => false, () => assert.fail(), page);
  context.enter('suspended');
  assert.equal(context.asked, 0);
  const other = world();
  keepRunning(other.context, () => true, () => assert.fail(), other.page);
  other.context.enter('closed');
  assert.equal(other.context.asked, 0);
});
