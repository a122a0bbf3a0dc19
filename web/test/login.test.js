import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logIn, logInFromAddress, tokenIn } from '../js/login.js';

test('a token stands behind the sign and nothing else', () => {
  assert.equal(tokenIn('#token=c0ffee-_C'), 'c0ffee-_C');
  for (const hash of ['', '#', '#token=', '#token=a b', '#xtoken=a', '#token=a&b=c']) assert.equal(tokenIn(hash), null);
});

test('what the engine says of a wrong token is handed on', async () => {
  const asked = [];
  const world = (ok) => ({
    origin: 'http://engine:8080',
    fetch: async (path, options) => {
      asked.push([path, options.method, options.body]);
      return { ok, text: async () => 'this token is not known here\n' };
    },
  });
  assert.equal(await logIn(world(true), 'right'), null);
  assert.equal(await logIn(world(false), 'wrong'), 'this token is not known here');
  assert.deepEqual(asked[0], ['/login', 'POST', '{"token":"right"}']);
  const silent = { origin: 'http://engine:8080', fetch: async () => { throw new TypeError(); } };
  assert.equal(await logIn(silent, 'any'), 'No answer from the engine at http://engine:8080.');
});

test('the token is taken out of the address before it is shown to anybody', async () => {
  const order = [];
  const world = { origin: '', fetch: async () => { order.push('login'); return { ok: true }; } };
  const page = {
    location: { hash: '#token=abc', pathname: '/', search: '?a=1' },
    history: { replaceState: (_, __, address) => order.push(address) },
  };
  await logInFromAddress(world, page);
  assert.deepEqual(order, ['/?a=1', 'login']);
  await logInFromAddress(world, { location: { hash: '' } });
  assert.equal(order.length, 2);
});
