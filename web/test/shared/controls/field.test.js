import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editable, typedNumber, typedRow } from '../../../js/shared/controls/field.js';

class FakeField extends EventTarget {
  value = '';

  type(text) {
    this.value = text;
    this.dispatchEvent(new Event('input'));
  }

  fire(name) {
    this.dispatchEvent(new Event(name));
  }
}

test('a field does not overwrite typing, and shows the value afterwards', () => {
  const field = new FakeField();
  let value = 1;
  const show = editable(field, () => String(value), (typed) => { value = Math.min(12, Number(typed)); });
  show();
  assert.equal(field.value, '1');
  field.type('9');
  value = 2;
  show();
  assert.equal(field.value, '9', 'typing was overwritten');
  field.type('99');
  field.fire('change');
  assert.equal(field.value, '12', 'what was clamped is not shown');
  field.type('5');
  field.fire('blur');
  assert.equal(field.value, '12');
});

test('typed numbers are read with decimal point or comma', () => {
  assert.equal(typedNumber(' 1,5 '), 1.5);
  assert.equal(typedNumber('−3'), -3);
  assert.equal(typedNumber(''), null);
  assert.equal(typedNumber('two'), null);
});

test('a typed row of numbers is read', () => {
  assert.deepEqual(typedRow(' 1 −2,5;  3.25 '), [1, -2.5, 3.25]);
  assert.deepEqual(typedRow(' '), []);
  assert.equal(typedRow('1 two 3'), null);
});
