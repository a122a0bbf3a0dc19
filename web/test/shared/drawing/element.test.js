import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readable, setText } from '../../../js/shared/drawing/element.js';

test('names cannot hide their end', () => {
  assert.equal(readable('take\u202egpj.wav'), 'take\\u{202E}gpj.wav');
  assert.equal(readable('\u2066a\u2069\u0000\u001b[2J\u009b'), '\\u{2066}a\\u{2069}\\u{0000}\\u{001B}[2J\\u{009B}');
});

test('other texts stay as they are', () => {
  for (const text of ['', 'Halle – Björk', 'שלום\u200f', '👩‍🎤', 'two\nlines\tand a tab', '9\u202f%']) assert.equal(readable(text), text);
  assert.equal(readable(5), 5);
});

test('a text is written once', () => {
  let writes = 0;
  const target = {
    text: '',
    get textContent() {
      return this.text;
    },
    set textContent(text) {
      writes += 1;
      this.text = text;
    },
  };
  for (let i = 0; i < 3; i++) setText(target, 'a\u202eb');
  for (let i = 0; i < 3; i++) setText(target, 'plain');
  assert.equal(writes, 2);
  assert.equal(target.text, 'plain');
});
