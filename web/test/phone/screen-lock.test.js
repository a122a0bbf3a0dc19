import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScreenLock } from '../../js/phone/screen-lock.js';

/** A window whose locks are counted. */
function world(allows = true) {
  const page = { held: 0, asked: 0, document: new EventTarget(), navigator: {} };
  page.document.visibilityState = 'visible';
  page.navigator.wakeLock = {
    request: async (kind) => {
      assert.equal(kind, 'screen');
      page.asked += 1;
      if (!allows) throw new Error('battery');
      page.held += 1;
      return { release: () => { page.held -= 1; } };
    },
  };
  return page;
}

test('the lock is asked for once, taken again when the page is seen, and given back', async () => {
  const page = world();
  const lock = new ScreenLock(page);
  await lock.want(true);
  await lock.want(true);
  assert.deepEqual([page.held, page.asked], [1, 1]);
  page.held = 0;
  page.document.dispatchEvent(new Event('visibilitychange'));
  await new Promise((done) => setTimeout(done));
  assert.deepEqual([page.held, page.asked], [1, 2]);
  await lock.want(false);
  assert.equal(page.held, 0);
  page.document.dispatchEvent(new Event('visibilitychange'));
  assert.equal(page.asked, 2);
});

test('a lock that comes after it was given back is released', async () => {
  const page = world();
  const lock = new ScreenLock(page);
  const asked = lock.want(true);
  lock.want(false);
  await asked;
  assert.equal(page.held, 0);
});

test('a refusal, and a browser without locks, are told', async () => {
  const refused = new ScreenLock(world(false));
  await refused.want(true);
  assert.match(refused.words, /Battery/);
  const page = world();
  delete page.navigator.wakeLock;
  const lock = new ScreenLock(page);
  await lock.want(true);
  assert.match(lock.words, /cannot keep the screen on/);
});
