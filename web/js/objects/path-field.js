import { element, setText, uniqueId } from '../shared/drawing/element.js';

/** A path in words. */
function pathWords(text) {
  if (!text) return 'No path. The object does not move.';
  try {
    const { circle, keyframes } = JSON.parse(text);
    if (circle) {
      const { radius = 2, seconds = 8 } = circle;
      return `A circle of ${radius} m radius, a turn to the ${seconds < 0 ? 'right' : 'left'} in ${Math.abs(seconds)} s.`;
    }
    return `${keyframes.length} keyframes until ${keyframes.at(-1).time} s.`;
  } catch {
    return 'This page cannot read the path.';
  }
}

/** The path of an object: a circle by its numbers, or keyframes from a file. */
export function pathField(page, node) {
  const number = (title, value) => element('input', { type: 'number', value, step: 'any', 'aria-label': title, id: uniqueId('path') });
  const [radius, seconds] = [number('Radius in metres', 2), number('Seconds of a turn; negative to the right', 8)];
  const words = element('p', { class: 'help', role: 'status' });
  const chooser = element('input', { type: 'file', accept: '.json,application/json', hidden: true, 'aria-hidden': 'true', tabindex: -1 });
  chooser.addEventListener('change', async () => {
    if (chooser.files[0]) page.send(node, [await chooser.files[0].text()]);
    chooser.value = '';
  });
  const button = (title, onclick) => element('button', { type: 'button', class: 'plain', onclick }, title);
  const end = button('Clear', () => page.send(node, ['']));
  page.watch(node, ([text]) => {
    setText(words, pathWords(text));
    end.hidden = !text;
  });
  const circle = () => page.send(node, [JSON.stringify({ circle: { radius: radius.valueAsNumber, seconds: seconds.valueAsNumber } })]);
  return element('details', { class: 'more object-path' }, element('summary', {}, 'Path'), words,
    element('div', { class: 'object-path-line' },
      element('label', {}, 'Radius, m', radius), element('label', {}, 'Turn, s', seconds), button('Circle', circle),
      button('Load keyframes…', () => chooser.click()), end, chooser));
}
