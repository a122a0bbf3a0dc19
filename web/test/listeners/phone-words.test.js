import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientText, isListening, linkText, restText } from '../../js/listeners/phone-words.js';

const offline = { name: 'iPhone, Safari', mode: 'offline' };

test('who hears something over the network is a phone, also with a recording of its own', () => {
  assert.equal(isListening({ isWired: false, clients: 1 }), true);
  assert.equal(isListening({ isWired: false, clients: 0, isHeld: true, client: offline }), true);
  for (const other of [{ isHeld: false, client: offline }, { isHeld: true, client: { mode: 'none' } }, { isHeld: true }]) {
    assert.equal(Boolean(isListening({ isWired: false, clients: 0, ...other })), false);
  }
  assert.equal(isListening({ isWired: true, clients: 1 }), false);
});

test('a phone that plays a recording needs no link', () => {
  assert.equal(clientText(offline), 'iPhone, Safari; plays a packed recording');
  assert.equal(linkText(undefined, offline), 'not needed');
  assert.equal(linkText(undefined, { mode: 'server-rendered' }), 'not measured');
});

test('phones that a list has no room for are counted in words', () => {
  assert.equal(restText(200, 200), '');
  assert.match(restText(200, 512), /^200 of 512 phones are shown\. Search/);
});
