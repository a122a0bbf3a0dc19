import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { OfferForm } from '../../js/camera/offer-form.js';

/** A document whose elements are made as they are asked for. */
class FakeElement {
  constructor() {
    Object.assign(this, { value: '', hidden: false, checked: false, dataset: {}, children: [] });
  }
  addEventListener(kind, action) { this[`on${kind}`] = action; }
  setAttribute(name, value) { this[name === 'data-identity' ? 'identity' : name] = value; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
}

let parts;

beforeEach(() => {
  parts = new Map();
  globalThis.document = {
    getElementById: (id) => {
      if (!parts.has(id)) parts.set(id, new FakeElement());
      return parts.get(id);
    },
    createElement: () => new FakeElement(),
  };
});

afterEach(() => { delete globalThis.document; });

function formWith(kept = null) {
  const memory = new Map(kept ? [['vestibule.camera', JSON.stringify(kept)]] : []);
  const storage = { getItem: (key) => memory.get(key) ?? null, setItem: (key, value) => memory.set(key, value) };
  return { form: new OfferForm(() => {}, storage), memory };
}

const named = (form) => form.offer(new Set(['vp8']), false).named;

/** Ticks a named peer. */
function tick(identity) {
  const box = parts.get('named').children.map(({ children }) => children[0]).find((each) => each.identity === identity);
  box.checked = true;
  box.onchange({ target: box });
}

test('after a loss of the connection only paired peers are named', () => {
  const { form, memory } = formWith();
  form.offerPeers([
    { identity: 'abc', name: 'Phone', paired: true }, { identity: 'connection 7-x', name: 'Kitchen', paired: false },
  ]);
  tick('abc');
  tick('connection 7-x');
  assert.deepEqual(named(form), ['abc', 'connection 7-x']);
  form.forgetStrangers();
  assert.deepEqual(named(form), ['abc']);
  assert.deepEqual(JSON.parse(memory.get('vestibule.camera')).named, [['abc', 'Phone']]);
  assert.equal(parts.get('named').children.length, 1);
});

test('a codec that is wanted is offered before VP8, if this browser encodes it', () => {
  const { form } = formWith({ values: { codec: 'av1' } });
  assert.deepEqual(form.offer(new Set(['vp8', 'av1']), false).codecs, ['av1', 'vp8']);
  assert.deepEqual(form.offer(new Set(['vp8']), false).codecs, ['vp8']);
  parts.get('codec').options = ['vp8', 'h264', 'av1'].map((value) => ({ value }));
  form.offerCodecs(new Set(['vp8', 'h264']));
  assert.deepEqual(parts.get('codec').options.map(({ disabled }) => disabled), [false, false, true]);
});
