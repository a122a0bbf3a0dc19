import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tiltSlider } from '../../js/head/tilt-slider.js';

/** An element of a page, as far as a slider needs it. */
class FakeElement extends EventTarget {
  attributes = new Map();
  children = [];
  style = { setProperty() {} };
  textContent = '';
  value = '0';

  constructor(tag) {
    super();
    this.tag = tag;
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  append(...children) {
    this.children.push(...children);
  }

  /** The first element of a kind below this one. */
  find(tag) {
    return this.children.filter((child) => child instanceof FakeElement)
      .map((child) => (child.tag === tag ? child : child.find(tag))).find(Boolean);
  }
}

before(() => {
  globalThis.document = { createElement: (tag) => new FakeElement(tag), createElementNS: (_, tag) => new FakeElement(tag) };
});
after(() => { delete globalThis.document; });

test('the small heads tilt as the head does: the nose, at the right, goes up, and the right ear, at the right, goes down', () => {
  const shown = (kind, words, degrees) => {
    const slider = tiltSlider(kind, kind, words, () => {});
    slider.show(degrees);
    return [slider.element.find('g').getAttribute('transform'), slider.element.find('output').textContent];
  };
  // Positive angles of SVG are clockwise.
  assert.deepEqual(shown('pitch', ['up', 'down'], 30), ['rotate(-30 18 17)', '30° up']);
  assert.deepEqual(shown('pitch', ['up', 'down'], -30), ['rotate(30 18 17)', '30° down']);
  assert.deepEqual(shown('roll', ['to the right', 'to the left'], 20), ['rotate(20 18 17)', '20° to the right']);
});

test('a tilt is sent as it is set, and returns to level by a double click', () => {
  const sent = [];
  const slider = tiltSlider('Pitch', 'pitch', ['up', 'down'], (degrees) => sent.push(degrees));
  const input = slider.element.find('input');
  input.value = '-12';
  input.dispatchEvent(new Event('input'));
  input.dispatchEvent(new Event('dblclick'));
  assert.deepEqual(sent, [-12, 0]);
});
