import { control } from '../shared/controls/control.js';
import { arrange, element, setAttribute, uniqueId } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { icon } from '../shared/drawing/icons.js';
import { nodesByRole } from '../shared/tree/tree.js';
import { namesIn } from './session.js';
import { roles } from '../shared/tree/roles.js';

/** Nodes of the scenes by their roles; null when the engine has none. */
export function scenesOf(root) {
  const names = root.find(roles.sceneNames);
  return names && {
    container: names.parent,
    ...nodesByRole(root, {
      names: roles.sceneNames, store: roles.sceneStore, recall: roles.sceneRecall, remove: roles.sceneRemove, current: roles.sceneCurrent,
      crossfade: roles.sceneCrossfade,
    }),
    progress: names.parent.find(roles.progress),
  };
}

/** Scenes as buttons, the crossfade time, and a field that stores another scene. */
export default { topic: 'session', needs: [roles.sceneNames], owns: 'container', make: scenesCard };

function scenesCard(page) {
  const scenes = scenesOf(page.root);
  const list = element('ul', { class: 'scenes' });
  const none = element('p', { class: 'help' }, 'No scenes yet. Adjust the settings, then enter a name to store them as a scene.');
  const rows = new Map();
  const isCurrent = (name) => page.values.of(scenes.current)[0] === name;
  page.watch(scenes.names, ([text]) => {
    const names = namesIn(text);
    for (const name of [...rows.keys()]) if (!names.includes(name)) rows.delete(name);
    for (const name of names) if (!rows.has(name)) rows.set(name, row(page, scenes, name));
    arrange(list, names.map((name) => rows.get(name).element));
    none.hidden = names.length > 0;
    mark();
  });
  page.watch(scenes.current, mark);
  function mark() {
    for (const [name, { button }] of rows) setAttribute(button, 'aria-pressed', isCurrent(name));
  }
  return card('Scenes', 'Named snapshots of all settings except head poses, trackers and the recording.',
    none, list, storeForm(page, scenes),
    element('div', { class: 'controls' },
      [scenes.crossfade, scenes.progress].filter(Boolean).map((node) => control(page, node))));
}

function row(page, scenes, name) {
  const button = element('button', {
    type: 'button', class: 'plain scene', 'aria-pressed': 'false', onclick: () => page.send(scenes.recall, [name]),
  }, name);
  const remove = element('button', {
    type: 'button', class: 'scene-remove', 'aria-label': `Remove scene ${name}`, title: 'Remove this scene (Undo restores it)',
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
  }, element('label', { for: field.id }, 'New scene'),
  element('div', { class: 'text-line' }, field, element('button', { type: 'submit', class: 'plain' }, 'Store')));
}
