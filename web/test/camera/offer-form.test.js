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

test('each way to save bits leaves the encoder its measures only, within the bounds of the user', () => {
  const bounds = {
    'best-bitrate': [1000, 30, 8000], 'lowest-bitrate': [200, 30, 8000], 'best-rate': [30, 1, 60], 'lowest-rate': [8, 1, 60],
    'best-height': [720, 90, 2160], 'lowest-height': [180, 90, 2160],
  };
  for (const [saving, lowest, shown] of [
    ['size-rate', [200_000, 8, 180], [true, true, true]], ['size', [200_000, 30, 180], [true, false, true]],
    ['rate', [200_000, 8, 720], [true, true, false]], ['bitrate', [200_000, 30, 720], [true, false, false]],
    ['still', [30_000, 1, 720], [false, false, false]],
  ]) {
    const { form } = formWith({ values: { saving } });
    for (const [id, [value, min, max]] of Object.entries(bounds)) Object.assign(parts.get(id), { value, min, max });
    const offer = form.offer(new Set(['vp8']), false);
    assert.deepEqual(offer.best, { bitrate: 1_000_000, rate: 30, height: 720 }, saving);
    assert.deepEqual(Object.values(offer.lowest), lowest, saving);
    // Bounds that the way sets by itself are not asked for.
    assert.deepEqual(['bitrate', 'rate', 'height'].map((name) => !parts.get(`lowest-${name}-line`).hidden), shown, saving);
  }
});
