import { roles } from '../shared/tree/roles.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { uploadButton } from '../shared/controls/upload.js';
import { icon } from '../shared/drawing/icons.js';
import { effectTitle } from './effect-panel.js';

/**
 * The entries of the engine's list, one per line with tabs between: origin (`program` or `user`), name, title, summary.
 */
export const readPresets = (text) => (text ?? '').split('\n').filter(Boolean).map((line) => {
  const [origin, name, title, summary] = line.split('\t');
  const [folder, last] = [name.slice(0, Math.max(0, name.lastIndexOf('/'))), name.slice(name.lastIndexOf('/') + 1)];
  return { origin, name, folder, title: title || effectTitle(last), summary: summary ?? '' };
});

/** The presets in groups, each with its title: those of the program, the user's own, and those in each folder of the user. */
export function grouped(presets) {
  const groups = new Map();
  for (const preset of presets) {
    const title = preset.origin === 'program' ? 'Included' : preset.folder || 'Mine';
    groups.set(title, [...(groups.get(title) ?? []), preset]);
  }
  return [...groups];
}

/** The entry a number of steps from the current one; from outside the list, its first or its last. */
export function stepped(presets, current, step) {
  if (presets.length === 0) return null;
  const at = presets.findIndex(({ name }) => name === current);
  if (at < 0) return step > 0 ? presets[0] : presets.at(-1);
  return presets[(at + step + presets.length) % presets.length];
}

/** Name of the current preset, the one before and the next, a list with descriptions, and a form that saves the rack. */
export function presetBrowser(page, rack) {
  if (!rack.preset) return null;
  const names = page.root.find(roles.listedRacks);
  const listed = () => (names
    ? readPresets(page.values.of(names)[0])
    : rack.preset.choices.map((name) => ({ origin: 'program', name, folder: '', title: effectTitle(name), summary: '' })));
  const current = () => page.values.of(rack.name)[0] ?? '';
  const title = () => listed().find(({ name }) => name === current())?.title ?? current();
  const load = ({ origin, name }) => page.send(origin === 'user' ? rack.load : rack.preset, [name]);
  const step = (by) => {
    const preset = stepped(listed(), current(), by);
    if (preset) load(preset);
  };
  const words = element('span', {});
  const list = element('div', { class: 'preset-groups' });
  const id = uniqueId('presets');
  const upload = uploadButton(page, 'presets', {
    names: () => listed().filter(({ origin }) => origin === 'user').map(({ name }) => `${name}.json`),
    done: (name) => load({ origin: 'user', name: name.replace(/\.json$/, '') }),
  });
  const dialog = element('dialog', { class: 'login preset-dialog', 'aria-labelledby': id },
    element('form', { method: 'dialog', class: 'preset-top' }, element('h2', { id }, 'Presets'),
      element('button', { type: 'submit', class: 'plain', 'aria-label': 'Close' }, icon('close', 20))),
    list, saveForm(page, rack, () => dialog.close()), upload);
  const row = (preset) => element('li', {}, element('button', {
    type: 'button', class: 'preset', 'aria-current': preset.name === current() ? 'true' : null, onclick: () => {
      load(preset);
      dialog.close();
    },
  }, element('strong', {}, preset.title), element('span', {}, preset.summary)));
  const open = () => {
    list.replaceChildren(...grouped(listed()).flatMap(([name, presets]) => {
      const heading = uniqueId('preset-group');
      return [element('h3', { id: heading }, name), element('ul', { class: 'preset-list', 'aria-labelledby': heading }, presets.map(row))];
    }));
    dialog.showModal();
  };
  page.watch(rack.name, () => setText(words, title() || 'No preset'));
  page.watch(names, () => setText(words, title() || 'No preset'));
  if (!words.textContent) setText(words, 'No preset');
  page.onEnd(() => dialog.close());
  const arrow = (name, label, by) => element('button', {
    type: 'button', class: 'plain preset-step', 'aria-label': label, title: label, onclick: () => step(by),
  }, icon(name, 18));
  return element('div', { class: 'presets', role: 'group', 'aria-label': 'Presets' },
    arrow('back', 'Previous preset', -1),
    element('button', { type: 'button', class: 'plain preset-name', title: 'All presets, with descriptions', onclick: open }, words),
    arrow('forward', 'Next preset', 1), dialog);
}

/** A form that saves the rack under a name of the user's; a name that exists needs to be confirmed. */
function saveForm(page, rack, done) {
  if (!rack.save) return '';
  const field = element('input', {
    type: 'text', id: uniqueId('preset'), autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 60, required: true,
  });
  const replace = element('input', { type: 'checkbox', id: uniqueId('replace') });
  return element('form', {
    class: 'control preset-save',
    onsubmit: (event) => {
      event.preventDefault();
      const name = field.value.trim();
      if (!name) return;
      page.send(rack.save, replace.checked ? [name, true] : [name]);
      field.value = '';
      replace.checked = false;
      done();
    },
  }, element('label', { for: field.id }, 'Save this rack'),
  element('p', { class: 'help' }, 'A name, or a folder and a name: Live/My lead'),
  element('div', { class: 'text-line' }, field, element('button', { type: 'submit', class: 'plain' }, 'Save as mine')),
  element('label', { class: 'preset-replace' }, replace, 'Replace an existing rack with this name'));
}
