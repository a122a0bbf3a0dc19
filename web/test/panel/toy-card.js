/** Example of a card, used by a test: shows the sample rate of the engine. */
export default { topic: 'engine', needs: ['rate'], make: toyCard };

function toyCard(page, [rate]) {
  const shown = { title: rate.title, value: null };
  page.watch(rate, ([value]) => { shown.value = value; });
  return shown;
}
