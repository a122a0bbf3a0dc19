import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientName } from '../../js/shared/connection/client-name.js';
import { PairedClients, ago } from '../../js/engine/paired-clients.js';
import { modulesPath } from '../../js/shared/drawing/qr-code.js';

test('times in the past in words', () => {
  const cases = [[0, 'just now'], [59, 'just now'], [60, '1 minute ago'], [3599, '59 minutes ago'], [3600, '1 hour ago'],
    [90000, '1 day ago'], [200000, '2 days ago']];
  for (const [seconds, words] of cases) assert.equal(ago(seconds), words);
});

test('a client is named by its system and browser', () => {
  const chrome = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36';
  assert.equal(clientName(chrome), 'Android, Chrome');
  assert.equal(clientName(chrome.replace('Linux; Android 15', 'Windows NT 10.0') + ' Edg/140.0'), 'Windows, Edge');
  assert.equal(clientName('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), 'Linux, Firefox');
  assert.equal(clientName(''), 'Browser');
});

test('the dark modules are drawn, each once, four modules from the edge', () => {
  assert.equal(modulesPath(['101', '011', '000']), 'M4 4h1v1h-1zM6 4h1v1h-1zM5 5h2v1h-2z');
});

test('there is no list without pairing, and a refusal carries the engine\'s answer', async () => {
  const world = (status, body) => ({
    fetch: async () => ({ ok: status < 400, status, json: async () => JSON.parse(body), text: async () => `${body}\n` }),
  });
  assert.equal(await new PairedClients(world(200, '{"possible":false,"clients":[]}')).list(), null);
  assert.equal(await new PairedClients(world(401, 'a token')).list(), null);
  assert.equal(await new PairedClients({ fetch: async () => { throw new TypeError(); } }).list(), null);
  assert.deepEqual(await new PairedClients(world(200, '{"possible":true,"clients":[{"id":"a"}]}')).list(), [{ id: 'a' }]);
  await assert.rejects(new PairedClients(world(404, 'no paired device has this id')).revoke('x'), /no paired device has this id/);
});
