import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { cardsOf, isOwned, registerCards } from '../../js/panel/card-registry.js';
import { cards } from '../../js/panel/cards.js';
import { genericNodes, hasDisplay } from '../../js/shared/controls/control-kind.js';
import { Page } from '../../js/shared/tree/page.js';
import { readTree } from '../../js/shared/tree/tree.js';
import { Values } from '../../js/shared/tree/values.js';
import { freshTree } from '../fixture.js';

const nothing = readTree({ FULL_PATH: '/', CONTENTS: {} });

test('one file and one line add a card: it appears on its page and replaces the generic control', async () => {
  const tree = freshTree();
  tree.CONTENTS.engine.CONTENTS.rate.TAGS = ['toy.rate'];
  const root = readTree(tree);
  const rate = root.find('toy.rate');
  assert.ok(genericNodes(rate.parent).includes(rate));
  const toys = await registerCards(
    import('./toy-card.js'),
  );
  const page = new Page(root, new Values(), () => true);
  const [toy] = cardsOf(toys, page, {});
  const shown = toy.make();
  page.values.set(rate.path, [44100]);
  assert.deepEqual([toy.topic, shown], ['engine', { title: rate.title, value: 44100 }]);
  assert.ok(!genericNodes(rate.parent).includes(rate));
  assert.deepEqual(cardsOf(toys, new Page(nothing, new Values(), () => true), {}), []);
});

test('a card for a page that does not exist is refused with the pages that do', async () => {
  const card = { default: { topic: 'kitchen', needs: [], make: () => null } };
  await assert.rejects(registerCards(card), /“kitchen”.*head, effects/);
});

test('a card owns the container of its first role, or everything below it too', () => {
  const root = readTree(freshTree());
  const rack = root.find('rack.layout').parent;
  const engine = root.find('load').parent;
  assert.ok(isOwned(cards, root, engine) && isOwned(cards, root, rack));
  assert.ok(rack.children.filter((child) => child.isContainer).every((child) => isOwned(cards, root, child)));
  assert.ok(!isOwned(cards, root, root.find('orientation.euler.ypr').parent));
  assert.ok(hasDisplay(root.find('rack.layout')) && !hasDisplay(root.find('method')));
});

test('every card file of a page is registered', () => {
  const js = new URL('../../js/', import.meta.url);
  const registered = readFileSync(new URL('panel/cards.js', js), 'utf8');
  const files = readdirSync(js, { recursive: true }).filter((name) => /-card\.js$/.test(name)).map((name) => name.split('/').pop());
  assert.deepEqual(files.filter((name) => !registered.includes(`/${name}'`)), []);
});
