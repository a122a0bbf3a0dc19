import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const pages = ['index.html', 'phone.html', 'telemetry.html'];

test('the pages share one head, which differs in the name of the page and its title only', () => {
  const heads = pages.map((name) => read(name).split('</head>')[0]
    .replace(/data-page="\w+"/, '').replace(/<title>.*<\/title>/, ''));
  assert.deepEqual(new Set(heads).size, 1);
});

test('the start script knows every page', () => {
  const start = read('js/start.js');
  for (const name of pages) {
    const [, page] = /data-page="(\w+)"/.exec(read(name));
    assert.match(start, new RegExp(`\\b${page}: \\(\\) => import\\(`));
  }
});
