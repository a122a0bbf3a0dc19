import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
/** The page that needs no engine. */
const alone = 'listen.html';
const pages = readdirSync(new URL('..', import.meta.url)).filter((name) => name.endsWith('.html') && name !== alone);

test('the pages share one head, apart from the title', () => {
  for (const name of pages) {
    const [, head] = /<head>(.*)<\/head>/s.exec(read(name));
    assert.match(head, /^\s*\{\{> head\}\}\s*\{\{> start\}\}\s*<title>[^<{]+<\/title>\s*$/, name);
  }
  assert.match(read('pages/start.html'), /src="\/panel\/js\/start.js"/);
  assert.match(read(alone), /<head>\s*\{\{> head\}\}\s*<title>/);
});

test('the start script knows every page', () => {
  const start = read('js/start.js');
  for (const name of pages) {
    const [, page] = /data-page="([\w-]+)"/.exec(read(name));
    assert.match(start, new RegExp(`^  '?${page}'?: \\(\\) => import\\(`, 'm'));
  }
});

test('the page that needs no engine has relative addresses alone in a folder of any server, whose head site.sh rewrites', () => {
  const head = read('pages/head.html').replace(/(href|src)="\/panel\//g, '$1="');
  assert.match(read('site.sh'), /s#\(href\|src\)="\/panel\/#\\1="#/);
  const addresses = [...read(alone).replace('{{> head}}', head).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  assert.ok(addresses.length >= 3);
  for (const address of addresses) assert.doesNotMatch(address, /^(\/|\w+:)/);
});
