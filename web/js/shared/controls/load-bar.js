import { element, setAttribute, setText } from '../drawing/element.js';

/** Load above which the bar is highlighted, as a share of a period. */
const highLoad = 0.8;

/** The load of a node as a bar and in percent. */
export function loadBar(page, node) {
  const number = element('span', { class: 'load-number' }, '–');
  const fill = element('div', { class: 'load-fill' });
  const bar = element('div', {
    class: 'load', role: 'meter', 'aria-label': node.title, 'aria-valuemin': 0, 'aria-valuemax': 100,
  }, fill);
  page.watch(node, ([share]) => {
    const percent = Math.round(share * 100);
    setText(number, `${percent} %`);
    setAttribute(bar, 'aria-valuenow', percent);
    fill.style.transform = `scaleX(${Math.min(1, share)})`;
    bar.classList.toggle('is-high', share > highLoad);
  });
  return element('div', { class: 'load-row', title: node.help },
    element('span', { class: 'readout-title' }, node.title), bar, number);
}
