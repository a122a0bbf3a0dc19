import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { arrange } from '../../../js/shared/drawing/element.js';

/** A list as the DOM has it, which records the children that are put in or taken out. */
class List {
  moved = [];

  constructor(...names) {
    this.children = names.map((name) => this.child(name));
  }

  child(name) {
    return {
      name, isConnected: true,
      remove: () => this.#take(name),
      focus() { document.activeElement = this; },
    };
  }

  #take(name) {
    this.moved.push(name);
    this.children = this.children.filter((each) => each.name !== name);
    if (document.activeElement?.name === name) document.activeElement = null;
  }

  insertBefore(child, next) {
    this.#take(child.name);
    const place = next ? this.children.indexOf(next) : this.children.length;
    this.children.splice(place, 0, child);
  }

  contains(element) {
    return this.children.includes(element);
  }

  get names() {
    return this.children.map(({ name }) => name).join('');
  }
}

globalThis.document = { activeElement: null };
afterEach(() => { document.activeElement = null; });

test('rows that stay are not taken out when others come and go around them', () => {
  const list = new List('a', 'b', 'c');
  const [a, , c] = list.children;
  arrange(list, [list.child('x'), a, list.child('y'), c, list.child('z')]);
  assert.equal(list.names, 'xaycz');
  assert.deepEqual(list.moved.sort(), ['b', 'x', 'y', 'z']);
});

test('nothing is moved where the order is the same', () => {
  const list = new List('a', 'b');
  arrange(list, [...list.children]);
  assert.deepEqual(list.moved, []);
});

test('a row that is moved keeps its focus', () => {
  const list = new List('a', 'b', 'c');
  const [a, b, c] = list.children;
  for (const order of [[c, a, b], [b, c, a], [a, b, c]]) {
    for (const focused of [a, b, c]) {
      focused.focus();
      arrange(list, order);
      assert.equal(list.names, order.map(({ name }) => name).join(''));
      assert.equal(document.activeElement, focused);
    }
  }
});
