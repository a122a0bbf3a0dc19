import { actionKinds, formatCue, nextNumber } from './cue.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { namesIn } from '../session/session.js';
import { roles } from '../shared/tree/roles.js';

/** Titles of the field `name`. */
const nameTitles = { scene: 'Scene', sound: 'Sound', recording: 'Recording', 'object sound': 'Sound' };

const blank = {
  name: '', trigger: { kind: 'none', value: '' }, wait: '', follow: { kind: 'none', value: '' },
  action: { kind: 'scene', name: '', fade: '' },
};
const seconds = { type: 'number', min: 0, max: 86400, step: 0.001, inputmode: 'decimal' };

/** Settings of the field `fade`: the longest, and what an empty one means. */
const fades = {
  scene: { max: 3600, placeholder: 'default', title: 'Empty: the crossfade of scenes' },
  'stop sounds': { max: 60, placeholder: '0', title: 'Time over which the sounds fade out' },
  recording: { max: 60, placeholder: '0', title: 'Crossfade from the recording that plays' },
};

/** Fields of actions; `list` names the suggestions. */
const fields = {
  name: { type: 'text', required: true, list: true },
  fade: { title: 'Fade (s)', ...seconds },
  object: { title: 'Object', type: 'number', min: 1, max: 999, step: 1, required: true, inputmode: 'numeric' },
  seconds: { title: 'Position (s)', ...seconds, required: true },
  destination: {
    title: 'Host and port', type: 'text', required: true, placeholder: '127.0.0.1:9001',
    pattern: '([A-Za-z0-9._][A-Za-z0-9._\\-]*|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5}', help: 'HOST:PORT, for example lights.local:8000',
  },
  address: {
    title: 'Address', type: 'text', required: true, placeholder: '/light/1', pattern: '/[!-"$-~]{1,255}', help: 'A slash, no spaces',
  },
  arguments: { title: 'Arguments', type: 'text', placeholder: '0.5 1 true "two words"' },
  cue: { title: 'Cue', type: 'number', min: 0.01, max: 9999.99, step: 0.01, required: true, inputmode: 'decimal' },
};

/** The dialog in which a cue is made or changed. */
export class CueEditor {
  #node = null;
  #inputs = {};

  /** @param save called with the node of the cue, null for a new one, and the text */
  constructor(page, save) {
    this.page = page;
    const id = uniqueId('cue');
    this.title = element('h2', { id });
    this.number = input({ type: 'number', min: 0.01, max: 9999.99, step: 0.01, required: true, inputmode: 'decimal' });
    this.name = input({ type: 'text', maxlength: 60, autocomplete: 'off' });
    this.action = select(Object.entries(actionKinds).map(([kind, { title }]) => [kind, title]), () => this.#showAction({}));
    this.actionFields = element('div', { class: 'cue-fields' });
    this.trigger = select([['none', 'By Go'], ['time', 'At a time of day'], ['position', 'At a position']], () => this.#showTimes());
    this.time = input({ type: 'time', step: 1, required: true });
    this.position = input({ ...seconds, required: true });
    this.wait = input({ ...seconds, placeholder: '0' });
    this.follow = select([['none', 'Nothing'], ['continue', 'Auto-continue after'], ['follow', 'Auto-follow at its end']],
      () => this.#showTimes());
    this.after = input({ ...seconds, required: true });
    this.suggestions = element('datalist', { id: uniqueId('cue') });
    this.remove = element('button', {
      type: 'submit', class: 'plain', value: 'remove', formnovalidate: true, title: 'Undo restores the cue',
    }, 'Remove cue');
    const parts = {
      time: field('Time', this.time), position: field('Position (s)', this.position), after: field('Seconds', this.after),
    };
    this.parts = parts;
    const form = element('form', {
      method: 'dialog', class: 'cue-form',
      onsubmit: (event) => {
        const choice = event.submitter?.value;
        if (choice === 'remove') save(this.#node, '');
        else if (choice !== 'no') save(this.#node, this.#text());
      },
    }, this.title, this.suggestions,
    element('div', { class: 'cue-fields' }, field('Number', this.number), field('Name', this.name)),
    field('Action', this.action), this.actionFields,
    element('div', { class: 'cue-fields' }, field('Fires', this.trigger), parts.time, parts.position, field('Pre-wait (s)', this.wait)),
    element('div', { class: 'cue-fields' }, field('Afterwards', this.follow), parts.after),
    element('div', { class: 'session-buttons' },
      element('button', { type: 'submit', class: 'plain', value: 'go' }, 'Store cue'),
      element('button', { type: 'submit', class: 'plain', value: 'no', formnovalidate: true }, 'Cancel'), this.remove));
    this.element = element('dialog', { class: 'login cue-dialog', 'aria-labelledby': id }, form);
    page.onEnd(() => this.element.close('no'));
  }

  /** Opens the dialog for a cue, or for a new one when `node` is null. */
  edit(node, cue, cues) {
    this.#node = node;
    const shown = cue ?? { ...blank, number: nextNumber(cues) };
    this.remove.hidden = !cue;
    setText(this.title, cue ? `Cue ${cue.number}` : 'New cue');
    this.number.value = shown.number;
    this.name.value = shown.name;
    this.action.value = shown.action.kind;
    this.trigger.value = shown.trigger.kind;
    this.time.value = shown.trigger.kind === 'time' ? shown.trigger.value : '';
    this.position.value = shown.trigger.kind === 'position' ? shown.trigger.value : '';
    this.wait.value = shown.wait;
    this.follow.value = shown.follow.kind;
    this.after.value = shown.follow.value;
    // No other cue may have the number.
    const taken = cues.filter((each) => each.number !== cue?.number).map((each) => Number(each.number));
    const check = () => this.number.setCustomValidity(taken.includes(Number(this.number.value)) ? 'Another cue has this number.' : '');
    this.number.oninput = check;
    check();
    this.#showAction(shown.action);
    this.#showTimes();
    this.element.returnValue = 'no';
    this.element.showModal();
  }

  #showAction(action) {
    const kind = this.action.value;
    this.#inputs = {};
    this.actionFields.replaceChildren(...actionKinds[kind].fields.map((name) => {
      const { title, list, help, ...attributes } = fields[name];
      const made = input({ ...attributes, list: list ? this.suggestions.id : null, title: help, autocomplete: 'off', spellcheck: 'false' });
      if (name === 'fade') Object.assign(made, fades[kind]);
      made.value = action[name] ?? '';
      this.#inputs[name] = made;
      return field(title ?? nameTitles[kind], made);
    }));
    this.suggestions.replaceChildren(...this.#names(kind).map((value) => element('option', { value })));
  }

  /** Names that the engine knows for an action. */
  #names(kind) {
    const listed = (role) => {
      const node = this.page.root.find(role);
      return node ? namesIn(this.page.values.of(node)[0]) : [];
    };
    switch (kind) {
      case 'scene': return listed(roles.sceneNames);
      case 'sound': return this.page.root.find(roles.cuePlay)?.choices ?? [];
      case 'recording': return listed(roles.listedRecordings);
      case 'object sound': return listed(roles.objectSounds);
      default: return [];
    }
  }

  #showTimes() {
    const show = (part, isShown) => {
      this.parts[part].hidden = !isShown;
      this[part].disabled = !isShown;
    };
    show('time', this.trigger.value === 'time');
    show('position', this.trigger.value === 'position');
    show('after', this.follow.value === 'continue');
  }

  #text() {
    const action = { kind: this.action.value };
    for (const [name, made] of Object.entries(this.#inputs)) action[name] = typed(made);
    return formatCue({
      number: typed(this.number), name: this.name.value.trim(), wait: typed(this.wait), action,
      trigger: { kind: this.trigger.value, value: this.trigger.value === 'time' ? this.time.value : typed(this.position) },
      follow: { kind: this.follow.value, value: typed(this.after) },
    });
  }
}

/** The text of a field; a number without exponent and needless zeros. */
const typed = (made) => (made.type === 'number' && made.value !== '' ? String(Number(made.value)) : made.value.trim());

const input = (attributes) => element('input', { id: uniqueId('cue'), ...attributes });

const select = (options, onchange) => element('select', { id: uniqueId('cue'), onchange },
  options.map(([value, title]) => element('option', { value }, title)));

const field = (title, made) => element('div', { class: 'cue-field' }, element('label', { for: made.id }, title), made);
