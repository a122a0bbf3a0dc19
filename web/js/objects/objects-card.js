import { control } from '../shared/controls/control.js';
import { element, setAttribute, setText, uniqueId } from '../shared/drawing/element.js';
import { card, openAtFirst } from '../shared/controls/card.js';
import { ObjectMap } from './object-map.js';
import { objectsOf } from './objects.js';
import { pathField } from './path-field.js';
import { Page } from '../shared/tree/page.js';
import { namesIn } from '../session/session.js';
import { uploadButton } from '../shared/controls/upload.js';
import { roles } from '../shared/tree/roles.js';

/** Sound objects on a map and in a list. */
export default {
  topic: 'objects',
  needs: [roles.objectSounds],
  shows: [roles.objectAdd, roles.objectRemove, roles.objectList, roles.objectCount, roles.objectMost, roles.objectAutoplay,
    roles.objectGroup,
    roles.objectPath, roles.objectAzimuth, roles.objectSource, roles.objectName, roles.objectElevation, roles.objectDistance,
    roles.objectGain, roles.objectMute, roles.objectState, roles.objectSounds, roles.objectSolo, roles.objectXYZ,
    roles.objectReference, roles.objectBubble, roles.objectAir, roles.objectDoppler, roles.objectDirectivity, roles.objectYaw,
    roles.objectPitch, roles.objectRenderer, roles.objectChannel],
  isWide: true,
  make(page, nodes, { world, listener, listeners, memory }) {
    const view = new ObjectsView(page, world, objectsOf(page.root), listener, listeners, memory);
    page.onEnd(() => view.end());
    return view.element;
  },
};

/** Sound objects: the map, the numbers of the chosen object, and a list of all. */
class ObjectsView {
  #rows = new Map();
  #own = null;

  constructor(page, world, objects, listener, listeners, memory) {
    this.page = page;
    this.memory = memory;
    const list = card('Objects', 'Name, sound file and level of each object.', noSounds(page), soundUpload(page),
      objects.length > 0 ? '' : element('p', { class: 'help empty-list' }, 'No objects yet. Add one, then choose its sound.'));
    if (objects.length === 0) {
      list.append(adder(page));
      this.element = element('div', { class: 'objects is-single' }, list);
      return;
    }
    this.map = new ObjectMap(page, world, objects, listener, listeners, (object) => this.choose(object));
    this.numbers = element('div', { class: 'object-numbers' });
    for (const object of objects) this.#rows.set(object, this.#row(object));
    this.element = element('div', { class: 'objects' },
      openAtFirst(card('Positions', 'Top view. Drag an object or a head, or select it and use the arrow keys.',
        this.map.element, this.numbers)),
      list);
    list.append(element('ul', { class: 'object-list' }, [...this.#rows.values()].map((row) => row.element)), adder(page));
    this.choose(this.#firstChoice(objects));
  }

  end() {
    this.map?.end();
    this.#own?.end();
  }

  /** The object that was chosen before the page was built again, or one that was added since. */
  #firstChoice(objects) {
    const { known, chosen } = this.memory.get('objects') ?? {};
    const added = known && objects.filter(({ number }) => !known.includes(number));
    this.memory.set('objects', { known: objects.map(({ number }) => number), chosen });
    return (added?.length === 1 && added[0]) || objects.find(({ number }) => number === chosen) || objects[0];
  }

  /** Selects an object, whose numbers are shown below the map. */
  choose(object) {
    if (object === this.chosen) return;
    this.chosen = object;
    this.memory.get('objects').chosen = object.number;
    this.map.mark(object);
    for (const [each, { button }] of this.#rows) setAttribute(button, 'aria-pressed', each === object);
    this.#own?.end();
    // Ends when another object is selected; the rest of the page continues.
    const page = this.#own = new Page(this.page.root, this.page.values, this.page.deliver);
    const title = element('h3', { id: uniqueId('object') });
    const state = element('p', { class: 'help', role: 'status' });
    page.watch(object.name, () => setText(title, object.title(page.values)));
    page.watch(object.state, ([text]) => setText(state, text ?? ''));
    const nodes = [object.azimuth, object.distance, object.elevation, object.group, object.channel].filter(Boolean);
    this.numbers.replaceChildren(element('div', { role: 'group', 'aria-labelledby': title.id },
      element('div', { class: 'object-heading' }, title, object.way.length > 0 && this.#way(page, object)),
      object.path && pathField(page, object.path),
      object.state && state, element('div', { class: 'controls' }, nodes.map((node) => control(page, node)))));
  }

  /** Numbers of the propagation from an object to the heads, folded until they are wanted. */
  #way(page, object) {
    const fold = element('details', { class: 'more', open: this.showsWay, ontoggle: () => { this.showsWay = fold.open; } },
      element('summary', {}, 'Propagation and directivity'),
      element('div', { class: 'controls' }, object.way.map((node) => control(page, node))));
    return fold;
  }

  #remover(object) {
    const { page } = this;
    return element('button', {
      type: 'button', class: 'plain object-remove', title: 'Remove (can be undone)', 'aria-label': `Remove object ${object.number}`,
      onclick: () => page.send(page.root.find(roles.objectRemove), [Number(object.number)]),
    }, '×');
  }

  #row(object) {
    const { page } = this;
    const button = element('button', {
      type: 'button', class: 'object-number', 'aria-pressed': 'false', onclick: () => {
        this.choose(object);
        this.map.focus(object);
      },
    }, object.number);
    const row = element('li', { class: 'object-row', role: 'group', 'data-object': object.number }, button,
      object.name && nameField(page, object.name),
      object.source && sourceField(page, object.source),
      object.mute && toggleButton(page, object.mute, 'object-mute', 'Mute'),
      object.solo && toggleButton(page, object.solo, 'object-solo', 'Solo'),
      page.root.find(roles.objectRemove) && this.#remover(object),
      object.gain && control(page, object.gain));
    page.watch(object.name, () => {
      setAttribute(row, 'aria-label', object.title(page.values));
      setAttribute(button, 'aria-label', `Show ${object.title(page.values)} on the map`);
    });
    return { element: row, button };
  }
}

/** Adds an object. */
function adder(page) {
  const [node, count, most] = [roles.objectAdd, roles.objectCount, roles.objectMost].map((role) => page.root.find(role));
  if (!node) return '';
  const button = element('button', { type: 'button', class: 'plain object-add', onclick: () => page.send(node, ['']) }, 'Add object');
  if (count && most) page.watch(count, ([number]) => { button.disabled = number >= page.values.number(most, Infinity); });
  const autoplay = page.root.find(roles.objectAutoplay);
  return element('div', { class: 'object-adding' }, button, autoplay && control(page, autoplay));
}

/** Sends a sound to the engine, for the lists of all objects. */
const soundUpload = (page) =>
  uploadButton(page, 'sounds', { names: () => namesIn(page.values.of(page.root.find(roles.objectSounds))[0]) });

/** Shown while there is nothing that an object could sound. */
function noSounds(page) {
  const words = element('p', { class: 'help empty-list' },
    'No sounds yet. Upload one, or put sound files into the folder of --sounds; they appear in the lists below.');
  page.watch(page.root.find(roles.objectSounds), ([text]) => { words.hidden = namesIn(text).length > 0; });
  return words;
}

/** Name of an object; unlike the generic text field it also sends an empty text. */
function nameField(page, node) {
  const field = element('input', {
    type: 'text', class: 'object-name', 'aria-label': node.title, placeholder: node.title, autocomplete: 'off', spellcheck: 'false',
    maxlength: 128, onchange: () => page.send(node, [field.value.trim()]),
  });
  page.watch(node, ([name]) => {
    if (document.activeElement !== field) field.value = name ?? '';
  });
  field.addEventListener('blur', () => { field.value = page.values.of(node)[0] ?? ''; });
  return field;
}

/** A source in words: the name of a file, or whose microphone it is. */
const sourceWords = (name) => (name.startsWith('camera:') ? `${name.slice(7)} (microphone)` : name || 'No sound');

/** Choice of sound files and of microphones; one in use that has disappeared stays in the list. */
function sourceField(page, node) {
  const sounds = page.root.find(roles.objectSounds);
  const select = element('select', {
    class: 'object-source', 'aria-label': node.title, title: node.help, onchange: () => page.send(node, [select.value]),
  });
  const fill = () => {
    const [current = ''] = page.values.of(node);
    const names = namesIn(page.values.of(sounds)[0]);
    const all = ['', ...names, ...(current && !names.includes(current) ? [current] : [])];
    if (all.join('\n') !== [...select.options].map((option) => option.value).join('\n') || select.options.length === 0) {
      select.replaceChildren(...all.map((name) => element('option', { value: name }, sourceWords(name))));
    }
    select.value = current;
  };
  page.watch(sounds, fill);
  page.watch(node, fill);
  fill();
  return select;
}

function toggleButton(page, node, name, word) {
  const button = element('button', {
    type: 'button', class: `plain ${name}`, 'aria-pressed': 'false', title: node.help,
    onclick: () => page.send(node, [button.getAttribute('aria-pressed') !== 'true']),
  }, word);
  page.watch(node, ([isOn]) => setAttribute(button, 'aria-pressed', Boolean(isOn)));
  return button;
}
