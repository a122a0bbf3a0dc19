import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeIn, logIn, logInFromAddress, tokenIn } from '../../../js/shared/connection/login.js';

test('a token is read from the fragment of the address only', () => {
  assert.equal(tokenIn('#token=c0ffee-_C'), 'c0ffee-_C');
  for (const hash of ['', '#', '#token=', '#token=a b', '#xtoken=a', '#token=a&b=c']) assert.equal(tokenIn(hash), null);
});

test('the answer to a wrong token is returned', async () => {
  const asked = [];
  const world = (ok) => ({
    origin: 'http://engine:8080',
    fetch: async (path, options) => {
      asked.push([path, options.method, options.body]);
      return { ok, text: async () => 'no such address\n' };
    },
  });
  assert.equal(await logIn(world(true), 'right'), null);
  assert.equal(await logIn(world(false), 'wrong'), 'no such address');
  assert.deepEqual(asked[0], ['/login', 'POST', '{"token":"right"}']);
  const silent = { origin: 'http://engine:8080', fetch: async () => { throw new TypeError(); } };
  assert.equal(await logIn(silent, 'any'), 'The engine at http://engine:8080 does not answer. Check that “vestibule serve” is running.');
});

test('the token is removed from the address before it is sent', async () => {
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

test('a pairing code is sent with a name of this client', async () => {
  assert.equal(codeIn('#pair=c0ffee'), 'c0ffee');
  for (const hash of ['', '#pair=', '#pair=a b', '#token=abc']) assert.equal(codeIn(hash), null);
  const asked = [];
  const world = (ok) => ({
    origin: '',
    fetch: async (path, { body }) => {
      asked.push([path, JSON.parse(body)]);
      return { ok, text: async () => 'this code has been used; ask for another one\n' };
    },
  });
  const page = () => ({
    location: { hash: '#pair=abc', pathname: '/', search: '' },
    history: { replaceState: () => {} },
    navigator: { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1' },
  });
  assert.equal(await logInFromAddress(world(true), page()), null);
  assert.deepEqual(asked[0], ['/pairing', { token: 'abc', name: 'iPhone, Safari' }]);
  assert.equal(await logInFromAddress(world(false), page()), 'this code has been used; ask for another one');
});
