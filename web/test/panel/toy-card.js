/** Example of a card, used by a test: shows the node with a role that no other card shows. */
export default { topic: 'engine', needs: ['toy.rate'], make: toyCard };

function toyCard(page, [rate]) {
  const shown = { title: rate.title, value: null };
  page.watch(rate, ([value]) => { shown.value = value; });
  return shown;
}
