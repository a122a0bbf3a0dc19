import { control } from './control.js';
import { element, setAttribute, uniqueId } from './element.js';
import { card } from './group.js';
import { icon } from './icons.js';
import { namesIn } from './session-card.js';

/** The nodes of the scenes by their roles; null when the engine has none. */
export function scenesOf(root) {
  const names = root.find('scene.names');
  return names && {
    names,
    container: names.parent,
    store: root.find('scene.store'),
    recall: root.find('scene.recall'),
    remove: root.find('scene.remove'),
    current: root.find('scene.current'),
    crossfade: root.find('scene.crossfade'),
    progress: names.parent.find('progress'),
  };
}

/** Scenes as buttons, how long it takes to get there, and a field to store another one. */
export function scenesCard(page, scenes) {
  const list = element('ul', { class: 'scenes' });
  const none = element('p', { class: 'help' }, 'None is stored yet: set everything as it is to be, and store it.');
  const rows = new Map();
  const isCurrent = (name) => page.values.of(scenes.current)[0] === name;
  page.watch(scenes.names, ([text]) => {
    const names = namesIn(text);
    for (const name of [...rows.keys()].filter((each) => !names.includes(each))) {
      rows.get(name).element.remove();
      rows.delete(name);
    }
    for (const name of names) if (!rows.has(name)) rows.set(name, row(page, scenes, name));
    const wanted = names.map((name) => rows.get(name).element);
    // Rows that stay are not moved: a finger or the focus may be on one.
    if (wanted.some((each, index) => list.children[index] !== each)) list.replaceChildren(...wanted);
    none.hidden = names.length > 0;
    mark();
  });
  page.watch(scenes.current, mark);
  function mark() {
    for (const [name, { button }] of rows) setAttribute(button, 'aria-pressed', isCurrent(name));
  }
  return card('Scenes', 'How everything but heads, trackers and the recording is set, by names.',
    none, list, storeForm(page, scenes),
    element('div', { class: 'controls' },
      [scenes.crossfade, scenes.progress].filter(Boolean).map((node) => control(page, node))));
}

function row(page, scenes, name) {
  const button = element('button', {
    type: 'button', class: 'plain scene', 'aria-pressed': 'false', onclick: () => page.send(scenes.recall, [name]),
  }, name);
  const remove = element('button', {
    type: 'button', class: 'scene-remove', 'aria-label': `Remove scene ${name}`, title: 'Remove; Undo brings it back',
    onclick: () => page.send(scenes.remove, [name]),
  }, icon('close', 20));
  return { button, element: element('li', {}, button, remove) };
}

function storeForm(page, scenes) {
  const field = element('input', { type: 'text', id: uniqueId('scene'), autocomplete: 'off', spellcheck: 'false', maxlength: 60 });
  return element('form', {
    class: 'control',
    onsubmit: (event) => {
      event.preventDefault();
      const name = field.value.trim();
      if (!name) return;
      page.send(scenes.store, [name]);
      field.value = '';
    },
  }, element('label', { for: field.id }, 'Store as'),
  element('div', { class: 'text-line' }, field, element('button', { type: 'submit', class: 'plain' }, 'Store')));
}
